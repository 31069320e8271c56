/**
 * Card authorizations a second, on one busy card and on 10,000 cards. The limits are pgbench updating one row of
 * `card_usage`, and pgbench writing the rows of a decision. The 99th percentile is measured at half of the rate reached,
 * for both; it is printed and not asserted.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { withDatabase } from './support/database.ts'
import { pgbench, pgbenchP99 } from './support/pgbench.ts'
import { percentile, type RateOptions, report } from './support/report.ts'
import type { BenchService } from './support/service.ts'

const CONCURRENCY = 64
const PGBENCH_CLIENTS = 16
const CARDS = 10_000
/** Requests at a rate are sent every millisecond, the resolution of a timer. */
const TICK_MS = 1
/** A longer run keeps rare stalls, such as the kernel writing back pages once in 30 s, below one hundredth of it. */
const P99_DURATION_FACTOR = 3
const BASE = '/svc/ts/api/v1/openapi/cards'

export async function benchCards(service: BenchService, options: RateOptions): Promise<boolean> {
  const { business_id: businessId } = service.client.sandbox
  const issuer = new Issuer(service)
  try {
    const busyCard = await issuer.issueActive()
    const cards = await copyCards(service.postgresUrl, businessId, busyCard)
    const results = [
      await measure(issuer, options, {
        name: 'authorizations on one card',
        nextCard: () => busyCard,
        script: oneRow(businessId, busyCard),
        limitName: 'pgbench updating one row',
        aim: 0.5,
        url: service.postgresUrl,
      }),
      await measure(issuer, options, {
        name: `authorizations on ${CARDS} cards`,
        nextCard: () => cards[Math.floor(Math.random() * cards.length)] ?? busyCard,
        script: sameRows(businessId),
        limitName: 'pgbench writing the same rows',
        aim: 0.4,
        url: service.postgresUrl,
      }),
    ]
    return !results.includes(false)
  } finally {
    await issuer.close()
  }
}

interface Measurement {
  readonly name: string
  readonly nextCard: () => string
  readonly script: string
  readonly limitName: string
  readonly aim: number
  readonly url: string
}

async function measure(
  issuer: Issuer,
  { seconds, onlyRates }: RateOptions,
  measurement: Measurement,
): Promise<boolean> {
  await maxRate(issuer, 1, measurement.nextCard)
  const ours = await maxRate(issuer, seconds, measurement.nextCard)
  const limit = await pgbench({ ...measurement, clients: PGBENCH_CLIENTS, seconds })
  if (!onlyRates) await printP99s(issuer, seconds * P99_DURATION_FACTOR, measurement, { ours, limit })
  return report({ ...measurement, unit: 'decisions/s', ours, limit })
}

async function printP99s(
  issuer: Issuer,
  seconds: number,
  measurement: Measurement,
  { ours, limit }: { readonly ours: number; readonly limit: number },
): Promise<void> {
  const p99 = await p99AtRate(issuer, ours / 2, seconds, measurement.nextCard)
  const limitP99 = await pgbenchP99({ ...measurement, clients: PGBENCH_CLIENTS, seconds }, limit / 2)
  console.log(
    `${measurement.name}: p99 ${p99.toFixed(1)} ms at ${(ours / 2).toFixed(0)} decisions/s, aim 20; ` +
      `${measurement.limitName}: ${limitP99.toFixed(1)} ms at ${(limit / 2).toFixed(0)}`,
  )
}

/** Decisions a second when each caller waits for its response. */
export async function maxRate(issuer: Issuer, seconds: number, nextCard: () => string): Promise<number> {
  let decided = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const caller = async () => {
    while (performance.now() < endsAt) {
      await issuer.authorize(nextCard())
      decided++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  return (decided / (performance.now() - startedAt)) * 1_000
}

/** The 99th percentile in milliseconds when requests arrive at a rate, whether or not earlier ones have finished. */
async function p99AtRate(
  issuer: Issuer,
  rate: number,
  seconds: number,
  nextCard: () => string,
): Promise<number> {
  const latencies: number[] = []
  const failures: unknown[] = []
  const startedAt = performance.now()
  const timed = async (cardId: string) => {
    const sentAt = performance.now()
    await issuer.authorize(cardId).catch((error: unknown) => failures.push(error))
    latencies.push(performance.now() - sentAt)
  }
  let sent = 0
  // Only numbers are kept of finished requests, because the latencies would include the bench's garbage collection.
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = ((performance.now() - startedAt) / 1_000) * rate
    for (; sent < due; sent++) void timed(nextCard())
    await sleep(TICK_MS)
  }
  while (latencies.length < sent) await sleep(TICK_MS)
  if (failures.length > 0) throw failures[0]
  return percentile(latencies, 0.99)
}

export class Issuer {
  readonly #pool: Pool
  readonly #headers: Record<string, string>

  constructor(service: BenchService) {
    const { base_url: baseUrl, api_key: apiKey } = service.client.sandbox
    this.#pool = new Pool(baseUrl, { connections: CONCURRENCY })
    this.#headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  }

  async issueActive(): Promise<string> {
    const reference = randomUUID()
    const limits = ['Daily', 'Monthly', 'Lifetime', 'Transaction'].map((period) => ({
      period,
      limit_amount: '100000000000',
    }))
    const { card } = await this.#post<{ card: { id: string } }>('', {
      card: { reference_id: reference, type: 'virtual', mode: 'B2C', settlement_currency: 'HKD', limits },
    })
    await this.#post('/link', { card_reference_id: reference, p_user_id: 'bench' })
    return card.id
  }

  async authorize(cardId: string): Promise<void> {
    const { authorization } = await this.#post<{ authorization: { approved: boolean } }>(
      `/${cardId}/authorizations`,
      {
        authorization: {
          amount: '12.50',
          currency: 'HKD',
          merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
          reference_id: randomUUID(),
        },
      },
    )
    if (!authorization.approved) throw new Error('an authorization was declined')
  }

  async #post<Data>(path: string, body: object): Promise<Data> {
    const { status, text } = await this.#exchange(path, JSON.stringify(body))
    if (status !== 200) throw new Error(`${path} responded ${status}: ${text}`)
    return (JSON.parse(text) as { data: Data }).data
  }

  /** Avoids a stream for each body, because the bench shares the processors with the service that it measures. */
  #exchange(path: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      this.#pool.dispatch(
        { method: 'POST', path: `${BASE}${path}`, headers: this.#headers, body },
        {
          onRequestStart: () => {},
          onResponseStart: (_controller, statusCode) => void (status = statusCode),
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => {
            resolve({ status, text: Buffer.concat(chunks).toString() })
          },
          onResponseError: (_controller, error) => {
            reject(error)
          },
        },
      )
    })
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

/** Copies an issued card with its usage and limits. No authorization reads the card number. */
export async function copyCards(url: string, businessId: string, cardId: string): Promise<string[]> {
  await withDatabase(url, async (database) => {
    for (const [table, changed] of [
      ['cards', `id = 'bench_' || n, reference_id = 'bench_' || n`],
      ['card_usage', `card_id = 'bench_' || n`],
      ['card_limits', `card_id = 'bench_' || n, id = 'bench_' || n || period`],
    ] as const) {
      await database.query(`create temporary table copied as
                          select n, t.* from ${table} t, generate_series(1, ${CARDS}) n
                           where t.business_id = '${businessId}' and t.${table === 'cards' ? 'id' : 'card_id'} = '${cardId}'`)
      await database.query(`update copied set ${changed}`)
      await database.query('alter table copied drop column n')
      await database.query(`insert into ${table} select * from copied`)
      await database.query('drop table copied')
    }
    await database.query('analyze cards, card_usage, card_limits')
    // Otherwise the kernel would write these pages back half a minute later, during the measurement of the percentile.
    await database.query('checkpoint')
  })
  return Array.from({ length: CARDS }, (_, index) => `bench_${index + 1}`)
}

function oneRow(businessId: string, cardId: string): string {
  return `update card_usage set daily_minor = daily_minor + 1 where business_id = '${businessId}' and card_id = '${cardId}';`
}

/** Writes the rows of one decision in one commit: the card's usage, the authorization and its event. */
function sameRows(businessId: string): string {
  return `
    \\set card random(1, ${CARDS})
    \\set authorization random(1, 1000000000000000)
    begin;
    select * from card_usage where business_id = '${businessId}' and card_id = 'bench_' || :card for no key update;
    insert into card_authorizations (business_id, uuid, card_id, reference_id, state, currency, amount_minor, held_minor,
                                     captured_minor, refunded_minor, forced_minor, merchant_name, merchant_mcc,
                                     merchant_country, created_at, expires_at)
    values ('${businessId}', 'bench_' || :authorization, 'bench_' || :card, 'bench_' || :authorization, 'pending', 'HKD',
            1250, 1250, 0, 0, 0, 'Tea house', '5812', 'HK', now(), now() + interval '7 days');
    update card_usage set daily_minor = daily_minor + 1250, daily_count = daily_count + 1,
           monthly_minor = monthly_minor + 1250, monthly_count = monthly_count + 1,
           lifetime_minor = lifetime_minor + 1250, lifetime_count = lifetime_count + 1, last_changed_at = now()
     where business_id = '${businessId}' and card_id = 'bench_' || :card;
    insert into events (business_id, id, object_id, sequence, type, timestamp, data)
    select '${businessId}', 'evt_' || :authorization, 'bench_' || :card,
           coalesce((select e.sequence from events e
                      where e.business_id = '${businessId}' and e.object_id = 'bench_' || :card
                      order by e.sequence desc limit 1), 0) + 1,
           'card.authorization.approved', now(), json_build_object('authorization', repeat('x', 480));
    commit;
  `
}
