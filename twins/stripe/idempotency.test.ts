import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createExpressApp } from 'stripe-stateful-mock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'

let twin: TwinProcess
let mock: Server

beforeAll(async () => {
  twin = await startTwin('stripe')
  mock = createServer(createExpressApp())
  await new Promise<void>((resolve) => mock.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await twin.stop()
  mock.close()
})
afterEach(() => twin.setFaults({}))

interface Step {
  readonly path: string
  readonly params: string
  readonly key?: string
  readonly secret?: string
}

interface Answered {
  readonly status: number
  readonly id: unknown
  readonly error: Readonly<Record<string, unknown>> | undefined
  readonly replayed: string | null
  readonly requestId: string | null
  readonly originalRequest: string | null
}

async function post(url: string, { path, params, key, secret = 'sk_test_keys' }: Step): Promise<Answered> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, ...(key !== undefined && { 'idempotency-key': key }) },
    body: new URLSearchParams(params),
  })
  const answer = (await reply.json()) as { id?: string; error?: Record<string, unknown> }
  return {
    status: reply.status,
    id: answer.id,
    error: answer.error,
    replayed: reply.headers.get('idempotent-replayed'),
    requestId: reply.headers.get('request-id'),
    originalRequest: reply.headers.get('original-request'),
  }
}

/**
 * Runs the same steps at both. Ids are replaced by the step in which they first appeared, which shows whether a request made
 * a new object or repeated an old response.
 */
async function bothAnswer(steps: readonly Step[]) {
  const { port } = mock.address() as AddressInfo
  const run = async (url: string) => {
    const answers: Answered[] = []
    for (const step of steps) answers.push(await post(url, step))
    return answers.map((answer) => ({
      status: answer.status,
      sameAsStep: answer.id === undefined ? null : answers.findIndex(({ id }) => id === answer.id),
      type: answer.error?.type,
      code: answer.error?.code,
      declineCode: answer.error?.decline_code,
      replayed: answer.replayed,
      namesOriginal:
        answer.originalRequest === null
          ? null
          : answers.findIndex((each) => each.requestId === answer.originalRequest),
    }))
  }
  return { twin: await run(twin.url), mock: await run(`http://127.0.0.1:${port}`) }
}

const CUSTOMERS = '/v1/customers'

describe('stripe-stateful-mock answers the same', () => {
  test.each<[string, Step[]]>([
    [
      'without a key each request makes an object',
      [
        { path: CUSTOMERS, params: 'email=a@example.org' },
        { path: CUSTOMERS, params: 'email=a@example.org' },
      ],
    ],
    [
      'a key repeats the first answer',
      [
        { path: CUSTOMERS, params: 'email=a@example.org&metadata[a]=1', key: 'one' },
        { path: CUSTOMERS, params: 'email=a@example.org&metadata[a]=1', key: 'one' },
        { path: CUSTOMERS, params: 'email=a@example.org&metadata[a]=1', key: 'two' },
        { path: CUSTOMERS, params: 'email=a@example.org&metadata[a]=1', key: 'one' },
      ],
    ],
    [
      'other parameters under a key are refused, and the first answer stays',
      [
        { path: CUSTOMERS, params: 'email=a@example.org', key: 'three' },
        { path: CUSTOMERS, params: 'email=b@example.org', key: 'three' },
        { path: CUSTOMERS, params: 'email=a@example.org&name=A', key: 'three' },
        { path: CUSTOMERS, params: 'email=a@example.org', key: 'three' },
      ],
    ],
    [
      'the order of the parameters does not matter',
      [
        { path: CUSTOMERS, params: 'email=a@example.org&name=A', key: 'four' },
        { path: CUSTOMERS, params: 'name=A&email=a@example.org', key: 'four' },
      ],
    ],
    [
      'a wrong key of the account keeps nothing',
      [
        { path: CUSTOMERS, params: 'email=a@example.org', key: 'six', secret: 'wrong' },
        { path: CUSTOMERS, params: 'email=a@example.org', key: 'six' },
        { path: CUSTOMERS, params: 'email=a@example.org', key: 'six' },
      ],
    ],
  ])('%s', async (_title, steps) => {
    const answers = await bothAnswer(steps)
    expect(answers.twin).toEqual(answers.mock)
  })
})

const PAYMENT = 'amount=1000&currency=usd&confirm=true&payment_method_types[]=card&payment_method='

/** The mock lacks payment intents, answers at once and never fails. */
describe("beyond the mock, by Stripe's documentation", () => {
  const pay = (key: string, card = 'pm_card_visa') =>
    post(twin.url, { path: '/v1/payment_intents', params: PAYMENT + card, key })
  const booked = async (key: string) => (await twin.books()).filter((line) => line.key === key)

  test('a decline is repeated, and tried once', async () => {
    const first = await pay('declined', 'pm_card_chargeDeclined')
    const second = await pay('declined', 'pm_card_chargeDeclined')
    expect([first.status, second.status, second.replayed]).toEqual([402, 402, 'true'])
    expect(await booked('declined')).toHaveLength(1)
  })

  test('keys of different accounts have nothing to do with each other', async () => {
    const first = await pay('shared')
    const step = { path: '/v1/payment_intents', params: `${PAYMENT}pm_card_amex`, key: 'shared' }
    const other = await post(twin.url, { ...step, secret: 'sk_test_other' })
    expect([other.status, other.id === first.id, other.replayed]).toEqual([200, false, null])
  })

  test('a key belongs to one endpoint', async () => {
    await pay('endpoint')
    const other = await post(twin.url, { path: CUSTOMERS, params: 'name=A', key: 'endpoint' })
    expect([other.status, other.error?.type]).toEqual([400, 'idempotency_error'])
  })

  test('while the first request runs, the second answers 409', async () => {
    await twin.setFaults({ latency_ms: 300 })
    const [first, second] = await Promise.all([pay('busy'), pay('busy')])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect([first, second].find(({ status }) => status === 409)?.error?.code).toBe('idempotency_key_in_use')
    expect(await booked('busy')).toHaveLength(1)
  })

  test.each([
    ['fail_before', 0],
    ['fail_after', 1],
  ])('a 500 by %s is kept under its key, with %i movements', async (fault, movements) => {
    await twin.setFaults({ [fault]: 1, times: 1 })
    const [first, second] = [await pay(fault), await pay(fault)]
    expect([first.status, second.status, second.replayed]).toEqual([500, 500, 'true'])
    expect(await booked(fault)).toHaveLength(movements)
  })

  test('a lost answer is found again under its key', async () => {
    await twin.setFaults({ lose_answer: 1, times: 1 })
    await expect(pay('lost')).rejects.toThrow(TypeError)
    const second = await pay('lost')
    expect([second.status, second.replayed]).toEqual([200, 'true'])
    expect(await booked('lost')).toHaveLength(1)
  })

  test('a 429 and an invalid parameter keep nothing', async () => {
    await twin.setFaults({ rate_limit: 1, times: 1 })
    expect((await pay('limited')).status).toBe(429)
    expect(
      (await post(twin.url, { path: '/v1/payment_intents', params: 'amount=x', key: 'limited' })).status,
    ).toBe(400)
    expect([(await pay('limited')).status, (await pay('limited')).replayed]).toEqual([200, 'true'])
  })

  test('after a day a key runs its request anew', async () => {
    const [first, again] = [await pay('pruned'), await pay('pruned')]
    await twin.advanceClock(23 * 3600)
    const late = await pay('pruned')
    await twin.advanceClock(2 * 3600)
    const anew = await pay('pruned')
    expect([again.id, late.id]).toEqual([first.id, first.id])
    expect([anew.id === first.id, anew.replayed]).toEqual([false, null])
    await twin.pruneKeys()
    expect((await pay('pruned')).replayed).toBeNull()
    expect(await booked('pruned')).toHaveLength(3)
  })
})
