/** Orders that are created and paid, by callers who wait for their replies or at a rate that does not. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Client } from '../../scenarios/harness/client.ts'
import { percentile } from './report.ts'

const PAYMENTS = '/svc/payment/api/v1/openapi'
const MAX_CONNECTIONS = 2_048

export interface Payer {
  readonly client: Client
  readonly customerUuid: string
  readonly token: string
}

export async function payerOf(client: Client): Promise<Payer> {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  return { client, customerUuid: customer.uuid, token }
}

export interface LoadResult {
  /** Orders or reads that were completed, a second. */
  readonly rate: number
  readonly completed: number
  readonly durationsMs: readonly number[]
  readonly refused: number
  readonly failed: number
  /** The 99th percentile of requests that got 200; NaN if there was none. */
  readonly p99Ms: number
  readonly medianMs: number
}

class Recorder {
  readonly #startedAtMs = performance.now()
  completed = 0
  refused = 0
  failed = 0
  readonly durationsMs: number[] = []

  /** The time counts until the last reply, because accepted requests must be finished, too. */
  result(): LoadResult {
    const { completed, refused, failed, durationsMs } = this
    const at = (share: number) => (durationsMs.length === 0 ? NaN : percentile(durationsMs, share))
    return {
      rate: (completed / (performance.now() - this.#startedAtMs)) * 1_000,
      completed,
      durationsMs,
      refused,
      failed,
      p99Ms: at(0.99),
      medianMs: at(0.5),
    }
  }
}

type Task = (post: (path: string, body: object) => Promise<boolean>) => Promise<boolean>

export function createAndPay({ customerUuid, token }: Payer): Task {
  return async (post) => {
    const reference = randomUUID()
    const order = {
      reference_number: reference,
      currency: 'HKD',
      initial_total: 150.5,
      customer_uuid: customerUuid,
    }
    if (!(await post('/orders', { order }))) return false
    return post('/orders/pay', {
      order: { reference_number: reference },
      transaction: { type: 'Sales', payment_token: token },
    })
  }
}

export function checkOrder(number: string): Task {
  return (post) => post('/orders/check', { order: { number } })
}

async function withPost<T>(
  { sandbox }: Client,
  use: (post: (path: string, body: object) => Promise<boolean>, recorder: Recorder) => Promise<T>,
): Promise<T> {
  const pool = new Pool(sandbox.base_url, { connections: MAX_CONNECTIONS })
  const recorder = new Recorder()
  const post = async (path: string, body: object): Promise<boolean> => {
    const startedAtMs = performance.now()
    const response = await pool.request({
      method: 'POST',
      path: `${PAYMENTS}${path}`,
      headers: { authorization: `Bearer ${sandbox.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.body.dump()
    if (response.statusCode === 200) recorder.durationsMs.push(performance.now() - startedAtMs)
    else if (response.statusCode === 503) recorder.refused++
    else recorder.failed++
    return response.statusCode === 200
  }
  try {
    return await use(post, recorder)
  } finally {
    await pool.destroy()
  }
}

/** Each of the `callers` sends its next request at the response to the last one. */
export function closedLoad(
  client: Client,
  task: Task,
  callers: number,
  seconds: number,
): Promise<LoadResult> {
  return withPost(client, async (post, recorder) => {
    const endsAtMs = performance.now() + seconds * 1_000
    const caller = async () => {
      while (performance.now() < endsAtMs) {
        if (await task(post)) recorder.completed++
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    return recorder.result()
  })
}

/** Starts `rate` tasks a second, whether or not the earlier ones have ended. */
export function openLoad(client: Client, task: Task, rate: number, seconds: number): Promise<LoadResult> {
  return withPost(client, async (post, recorder) => {
    const attempt = async (): Promise<void> => {
      try {
        if (await task(post)) recorder.completed++
      } catch {
        recorder.failed++
      }
    }
    const startedAtMs = performance.now()
    const running: Promise<void>[] = []
    const endsAtMs = startedAtMs + seconds * 1_000
    for (let started = 0; performance.now() < endsAtMs; await sleep(2)) {
      const due = ((performance.now() - startedAtMs) / 1_000) * rate
      for (; started < due; started++) {
        running.push(attempt())
      }
    }
    await Promise.all(running)
    return recorder.result()
  })
}
