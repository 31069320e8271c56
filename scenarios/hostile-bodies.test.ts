import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanUp } from '#platform/testing/clean-up'
import { HOSTILE_TEXTS, type HostileText } from '#platform/testing/hostile-texts'
import { PAYMENTS } from './harness/client.ts'
import { operationsOf } from './harness/operations.ts'
import type { JsonSchema } from './harness/schema-mutations.ts'
import { startScenario } from './harness/scenario.ts'
import { TurnWatch } from './harness/turns.ts'

/**
 * In ms of processor time. Turns with eight requests of 19 kB were 28 to 46 ms, and those with forms and sign-ins 24 to 270 ms, on a
 * machine with ten times as much to do as it has processors. Where one entry of the request log was quadratic in 16 kB, they were 423 ms.
 */
const MAX_LOGGED_TURN_MS = 250
const MAX_TURN_MS = 600
/** Bodies of 1 MB, or with as many values as a body may have, one at a time: 105 ms. Quadratic work takes minutes. */
const MAX_LARGE_TURN_MS = 1_500
const AT_A_TIME = 8
const LENGTH = 19_000
/** The log keeps 16,384 characters of a body, so a text of this length ends before the cut. */
const KEPT_LENGTH = 16_000
const LARGEST = 1024 * 1024
/** A form has at most 16 KiB, and a percent-encoded character is three bytes. */
const FORM_LENGTH = 16_000
/** Node refuses a head of more than 16 kB. */
const HEADER_LENGTH = 7_000

const folder = await mkdtemp(join(tmpdir(), 'quittance-turns-'))
cleanUp(() => rm(folder, { recursive: true, force: true }))
const watch = new TurnWatch(folder)
const { client, service } = await startScenario({ env: { ...watch.env, ALLOW_PRIVATE_WEBHOOKS: '1' } })
const { sandbox } = client
const operations = await operationsOf(client)
const { secret: mayDoNothing } = await client.ok('POST', '/svc/account/api/v1/openapi/api_keys', {
  api_key: { name: 'Nothing', scopes: ['logs:read'] },
})
const keys: readonly string[] = [sandbox.api_key, mayDoNothing]

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const failed: string[] = []

async function send({ method, path, headers = {}, body }: Sent, key = sandbox.api_key): Promise<void> {
  const response = await fetch(`${sandbox.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-p-customer-code': sandbox.customer_code,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  })
  await response.arrayBuffer()
  if (response.status === 500) failed.push(`${method} ${path}`.slice(0, 300))
}

async function longestTurnMs(
  works: readonly (() => Promise<void>)[],
  atATime: number = AT_A_TIME,
): Promise<number> {
  const longest = await watch.during(service.process, async () => {
    const left = works.values()
    const sendAll = async () => {
      for (const work of left) await work()
    }
    await Promise.all(Array.from({ length: atATime }, sendAll))
    await untilLogged()
  })
  expect(failed.splice(0)).toEqual([])
  return longest
}

/** Requests are redacted when the log is written, after their replies. */
async function untilLogged(): Promise<void> {
  const since = new Date().toISOString()
  const newest = async () => {
    const { requests } = await client.ok('GET', '/svc/log/api/v1/openapi/requests?limit=1')
    return String(requests[0]?.created_at)
  }
  await expect.poll(newest, { interval: 100 }).toSatisfy((at) => String(at) > since)
}

const post = (body: string): Sent => ({ method: 'POST', path: `${PAYMENTS}/orders`, body })

// Proves reference/logs#cost.
test('bodies of 19 kB hold up nobody, whatever they repeat, whether or not they are JSON and the key may send them', async () => {
  const shapes = ({ ofLength }: HostileText) => [
    JSON.stringify([ofLength(LENGTH)]),
    JSON.stringify([`${ofLength(KEPT_LENGTH)}!`, 'x'.repeat(LENGTH - KEPT_LENGTH)]),
    JSON.stringify({ order: { reference_number: ofLength(LENGTH / 2), currency: ofLength(LENGTH / 2) } }),
    `{"order":{"reference_number":"${ofLength(KEPT_LENGTH)}"}}`,
    ofLength(LENGTH),
  ]
  const works = HOSTILE_TEXTS.flatMap((text) =>
    shapes(text).flatMap((body) => keys.map((key) => () => send(post(body), key))),
  )
  expect(await longestTurnMs(works)).toBeLessThan(MAX_LOGGED_TURN_MS)
})

test('a hostile text in every member of every body holds up nobody, also where it is as long as it may be', async () => {
  const works = operations
    .filter((operation) => operation.bodySchema !== undefined)
    .flatMap((operation, index) =>
      textsFor(index, 6).flatMap((text) => {
        const { method } = operation
        const { path, headers, body } = operation.example()
        const as = (value: unknown): Sent => ({ method, path, headers, body: JSON.stringify(value) })
        const allowed = as(filled(body, operation.bodySchema, text))
        const long = as(filled(body, undefined, text))
        return [() => send(allowed), () => send(long), () => send(long, mayDoNothing)]
      }),
    )
  expect(await longestTurnMs(works)).toBeLessThan(MAX_TURN_MS)
})

test('a hostile path, query or header holds up nobody', async () => {
  const queried = operations.filter(({ parameters }) => parameters.some((one) => one.in === 'query'))
  const works = HOSTILE_TEXTS.flatMap((text, index) => {
    const encoded = encodeURIComponent(text.ofLength(HEADER_LENGTH / 3)).slice(0, HEADER_LENGTH)
    const header = text
      .ofLength(HEADER_LENGTH)
      .replace(/[^\x20-\x7e\xa0-\xff]/g, ' ')
      .trim()
    const heads: Sent[] = [
      'user-agent',
      'idempotency-key',
      'x-request-id',
      'accept',
      'accept-language',
      'cookie',
      'signature',
      'signature-input',
      'x-forwarded-for',
      'content-type',
      'cache-control',
      'traceparent',
    ].map((name) => ({ ...post('{}'), headers: { [name]: header } }))
    const queries = everyFew(queried, index, 16).map((operation): Sent => {
      const { method } = operation
      const { path, headers } = operation.example()
      const names = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      const each = encoded.slice(0, Math.floor(HEADER_LENGTH / names.length))
      return { method, path: `${path}?${names.map((name) => `${name}=${each}`).join('&')}`, headers }
    })
    const paths = ['/', `${PAYMENTS}/orders/`, '/pay/', '/documents/', '/verify/', '/console/'].map(
      (path): Sent => ({ method: 'GET', path: path + encoded }),
    )
    const wrongKey: Sent = { ...post('{}'), headers: { authorization: header } }
    return [...everyFew(heads, index, 3), ...queries, ...paths, wrongKey].map((sent) => () => send(sent))
  })
  expect(await longestTurnMs(works)).toBeLessThan(MAX_TURN_MS)
})

test('a hostile form or JSON for a page or the sign-in holds up nobody', async () => {
  const order = await client.createOrder()
  const { payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders/check?with_payment_link=true`, {
    order: { number: order.number },
  })
  const { pathname } = new URL(link)
  const signIn = (path: string, value: string): Sent => ({
    method: 'POST',
    path: `/console/api/${path}`,
    headers: { origin: sandbox.base_url },
    body: JSON.stringify({ email: value, password: value, token: value }),
  })
  // The first sign-in of a process loads its modules.
  await send(signIn('auth/sign-in/email', 'ada@example.com'))
  const works = HOSTILE_TEXTS.flatMap((text) => {
    const value = text.ofLength(LENGTH)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const pages = [pathname, `${pathname}/code`].flatMap((path): Sent[] => [
      { method: 'POST', path, headers: form, body: value.slice(0, FORM_LENGTH) },
      { method: 'POST', path, headers: form, body: new URLSearchParams(cardForm(value)).toString() },
    ])
    const signIns = ['auth/sign-in/email', 'setup'].map((path) => signIn(path, value))
    return [...pages, ...signIns].map((sent) => () => send(sent))
  })
  expect(await longestTurnMs(works)).toBeLessThan(MAX_TURN_MS)
})

test('bodies of 1 MB and of as many values as a body may have hold up others no longer than it takes to read them', async () => {
  const texts = HOSTILE_TEXTS.filter((_, index) => index % 3 === 0)
  const bodies = [
    ...texts.flatMap((text) => {
      const value = text.ofLength(LARGEST - 60)
      return [value, JSON.stringify(value), JSON.stringify({ order: { reference_number: value } })]
    }),
    ...['1', '-', '1e', '0.', '1.1e-'].map((start) => `{"order":${start}${'1'.repeat(LARGEST - 20)}}`),
    `{"order":${'[[[[[[[[[[[[[[[['.repeat(65_000)}`,
    `{"order":${'{"a":'.repeat(200_000)}`,
    `[${'1.1,'.repeat(39_000)}1]`,
    `[${'"a",'.repeat(39_000)}1]`,
    `[${'{},'.repeat(19_000)}1]`,
    `[${'[],'.repeat(300_000)}1]`,
    JSON.stringify(Array.from({ length: 38 }, () => members(999))),
    JSON.stringify({ order: members(39_000) }),
    JSON.stringify({ order: { metadata: members(999, 'a'.repeat(900)) } }),
    `{"order":{${'"a":1,'.repeat(999)}"a":1}}`,
  ].map((body) => body.slice(0, LARGEST))
  const works = bodies.flatMap((body) => keys.map((key) => () => send(post(body), key)))
  expect(await longestTurnMs(works, 1)).toBeLessThan(MAX_LARGE_TURN_MS)
})

function cardForm(value: string): Record<string, string> {
  const names = ['number', 'exp', 'cvc', 'holder_name', 'email', 'code', 'attempt', 'component']
  return Object.fromEntries(names.map((name) => [name, value.slice(0, FORM_LENGTH / 3 / names.length)]))
}

function members(count: number, value = ''): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, value]))
}

/** Over all operations, every text is used. */
function textsFor(index: number, count: number): HostileText[] {
  return HOSTILE_TEXTS.flatMap((text, at) => ((at - index * count) % 31 === 0 ? text : [])).slice(0, count)
}

function everyFew<Value>(values: readonly Value[], index: number, few: number): Value[] {
  return values.filter((_, at) => at % few === index % few)
}

/**
 * The example with the text in its members.
 * @param schema bounds the texts, and leaves those that have a format or must be certain words. Without it every text is replaced, and
 * the body is as long as `LENGTH`
 */
function filled(example: unknown, schema: JsonSchema | undefined, text: HostileText): unknown {
  const count = Math.max(1, JSON.stringify(example).split('"').length / 4)
  return replaceTexts(example, schema, (one, member) => {
    if (member === undefined) return text.ofLength(LENGTH / count)
    // Nothing may be sent outside.
    if (one.startsWith('https://')) return 'https://127.0.0.1:9/'
    const isFree = member.enum === undefined && member.format === undefined && member.pattern === undefined
    return isFree && one.startsWith('x') ? text.ofLength(LENGTH).slice(0, member.maxLength ?? LENGTH) : one
  })
}

function replaceTexts(
  value: unknown,
  schema: JsonSchema | undefined,
  replace: (text: string, schema: JsonSchema | undefined) => unknown,
): unknown {
  const own = schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema
  if (typeof value === 'string') return replace(value, own)
  if (Array.isArray(value)) return value.map((element) => replaceTexts(element, own?.items, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      replaceTexts(member, own?.properties?.[name], replace),
    ]),
  )
}
