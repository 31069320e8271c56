import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { startReceiver } from '#platform/testing/receiver'
import { asJson, createFixture } from '../testing/fixture.ts'
import { openTaxShop } from '../testing/taxes.ts'

// Proves reference/billing-tax#engine.

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-06-15T02:00:00Z'
const CHANGE = '2031-07-05T02:00:00Z'

interface Question {
  kind: string
  preview?: boolean
  value?: string
  currency?: string
  date?: string
  buyer?: { address: { country: string } | null }
  lines?: { id: string; amount: number; tax_category: string; tax_behavior: string }[]
}

let answer: (question: Question, response: ServerResponse) => void = () => {}
const receiver = await startReceiver(({ text }, response) => answer(JSON.parse(text) as Question, response))
const asked = () => receiver.received.map(({ text }) => JSON.parse(text) as Question)

/** Ten percent of each line, rounded down to cents. */
function tenPercent({ lines = [] }: Question, response: ServerResponse): void {
  const taxed = lines.map(({ id, amount }) => ({
    id,
    taxes: [{ name: 'Sales tax', percentage: 10, amount: Math.trunc(amount * 10) / 100 }],
  }))
  response.end(JSON.stringify({ lines: taxed }))
}

async function openShop(onSilence: 'rates' | 'none' = 'rates', timeoutMs = 2_000) {
  receiver.received.length = 0
  const opened = await openTaxShop(fixture, START)
  const { tax_engine: engine } = await opened.taxes.putEngine(opened.caller, {
    url: receiver.url,
    timeout_ms: timeoutMs,
    on_silence: onSilence,
  })
  return { ...opened, secret: engine.secret ?? '' }
}

test('the engine replaces the rates of lines that are taxed, and its requests are signed', async () => {
  answer = tenPercent
  const { shop, secret, price, plan, billed } = await openShop()
  const { id } = await plan([await price(100), await price(9.99)])
  await shop.advance(START)
  expect(await billed(id)).toEqual([
    {
      lines: [
        ['Gold', 100],
        ['Gold', 9.99],
        ['Sales tax 10%', 10.99],
      ],
      total: 120.98,
      tax: 10.99,
      treatments: ['taxed'],
    },
  ])
  const [message] = receiver.received
  const verified = new Webhook(secret).verify(message?.text ?? '', message?.headers ?? {})
  expect(verified).toMatchObject({
    kind: 'taxes',
    preview: false,
    currency: 'EUR',
    date: '2031-06-15',
    seller: { name: 'Example GmbH', address: { country: 'DE' } },
    buyer: { address: null, tax_exempt: 'none' },
    lines: [
      { id: '1', amount: 100, tax_category: 'standard', tax_behavior: 'exclusive' },
      { id: '2', amount: 9.99 },
    ],
  })
  expect(await shop.breaches()).toEqual([])
})

test('a change asks for its charge, keeps the tax of what it credits, and says in a preview that it is one', async () => {
  answer = tenPercent
  const { shop, caller, price, plan, billed } = await openShop()
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap])
  await shop.advance(CHANGE)
  receiver.received.length = 0
  const request = { replace: [{ from: cheap, to: dear }] }
  const preview = asJson(await recurring.previewChange(caller, id, request))
  expect(asked().every((question) => question.preview === true)).toBe(true)
  receiver.received.length = 0
  expect(asJson(await recurring.change(caller, id, request)).change).toEqual(preview.change)
  expect(asked()).toMatchObject([{ preview: false, date: '2031-07-05', lines: [{ amount: 66.67 }] }])
  expect((await billed(id))[1]).toMatchObject({
    lines: [
      ['Gold', -33.33],
      ['Gold', 66.67],
      ['Sales tax 10%', 3.33],
    ],
    total: 36.67,
  })
  expect(await shop.breaches()).toEqual([])
})

const SILENCES: readonly (readonly [string, typeof answer])[] = [
  ['no answer in time', () => {}],
  ['a cut connection', (_question, response) => void response.destroy()],
  ['a status of 500', (question, response) => tenPercent(question, response.writeHead(500))],
  ['no JSON', (_question, response) => void response.end('ten percent')],
  ['a line without an answer', (_question, response) => void response.end('{"lines":[]}')],
  [
    'an amount with too many decimals',
    (_question, response) =>
      void response.end('{"lines":[{"id":"1","taxes":[{"name":"T","percentage":1,"amount":0.001}]}]}'),
  ],
]

const answering =
  (percentage: number, amount: number, count = 1) =>
  (question: Question, response: ServerResponse) => {
    const taxes = Array.from({ length: count }, (_, index) => ({ name: `Tax ${index}`, percentage, amount }))
    response.end(JSON.stringify({ lines: question.lines?.map(({ id }) => ({ id, taxes })) }))
  }

const WRONG: readonly (readonly [string, typeof answer])[] = [
  ['a negative amount', answering(10, -1_000)],
  ['an amount that is not its percentage', answering(10, 900_000_000_000)],
  ['thousands of taxes', answering(0.01, 0.01, 2_000)],
  [
    'a redirect',
    (_question, response) => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end(),
  ],
  [
    'an answer that comes a character at a time',
    (_question, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  ],
  [
    'nested lists',
    (_question, response) => void response.end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ],
]

test.each([...SILENCES, ...WRONG])(
  'after %s a billing run goes on with our own rates or none',
  async (_, silence) => {
    answer = silence
    for (const [onSilence, total, treatment] of [
      ['rates', 119, 'taxed'],
      ['none', 100, 'no_rate'],
    ] as const) {
      const { shop, price, plan, billed } = await openShop(onSilence, 100)
      const { id } = await plan([await price(100)])
      await shop.advance(START)
      expect(receiver.received.length).toBeGreaterThan(0)
      expect(await billed(id)).toMatchObject([{ total, treatments: [treatment] }])
      expect(await shop.breaches()).toEqual([])
    }
  },
)

test('a dead engine holds up a batch of plans once, not once a plan', async () => {
  answer = () => {}
  const { shop, price, plan, billed } = await openShop('rates', 300)
  const gold = await price(100)
  const plans = await Promise.all(Array.from({ length: 40 }, () => plan([gold])))
  await shop.advance(START)
  expect(receiver.received.length).toBeLessThan(40)
  expect((await billed(plans[39]?.id ?? '')).map(({ total }) => total)).toEqual([119])
})

test('the engine is asked about VAT ids when they are saved, and a rejected one reverses no charge', async () => {
  answer = ({ kind, value }, response) => {
    const state = value === 'FR40303265045' ? 'rejected' : 'verified'
    response.end(kind === 'tax_id' ? JSON.stringify({ state }) : '{}')
  }
  const { shop, taxes, caller, customer, price, plan, billed } = await openShop()
  const address = { line1: 'Rue 1', postal_code: '75001', city: 'Paris', country: 'FR' }
  const rejected = { address, tax_ids: [{ type: 'vat' as const, value: 'FR40303265045' }] }
  const { billing_details: details } = await taxes.editDetails(caller, customer, rejected)
  expect(details.tax_ids).toEqual([{ type: 'vat', value: 'FR40303265045', state: 'rejected' }])
  receiver.received.length = 0
  await taxes.editDetails(caller, customer, rejected)
  expect(receiver.received).toEqual([])
  const { id } = await plan([await price(100)])
  await shop.advance(START)
  expect(await billed(id)).toMatchObject([{ total: 119, treatments: ['taxed'] }])
  const verified = { address: null, tax_ids: [{ type: 'vat' as const, value: 'ATU13585627' }] }
  const { billing_details: other } = await taxes.editDetails(caller, customer, verified)
  expect(other.tax_ids).toMatchObject([{ state: 'verified' }])
})

test('the secret is shown once, and there is an engine until it is removed', async () => {
  const { taxes, caller, secret } = await openShop()
  expect(secret).toMatch(/^whsec_/)
  const engine = { url: receiver.url, timeout_ms: 2_000, on_silence: 'rates' }
  expect(await taxes.engine(caller)).toEqual({ tax_engine: engine })
  const changed = await taxes.putEngine(caller, { url: receiver.url, on_silence: 'none' })
  expect(changed).toEqual({ tax_engine: { ...engine, timeout_ms: 5_000, on_silence: 'none' } })
  await taxes.removeEngine(caller)
  expect(await refusalOf(taxes.engine(caller))).toBe('404 tax_engine_not_found')
  expect(await refusalOf(taxes.removeEngine(caller))).toBe('404 tax_engine_not_found')
})
