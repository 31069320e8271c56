import pino from 'pino'
import { expect, test } from 'vitest'
import type { Job } from '#platform/jobs/jobs'
import { check, createFixture, failure, newOrder, pay, voidOrder } from '../../payments/testing/fixture.ts'
import { renderClock } from '../api/render.ts'
import { SandboxClock } from './sandbox-clock.ts'

const fixture = await createFixture({ silenceMs: 5_000 })
const BOOKS = '4000000000000127'
const NO_ANSWER = { kind: 'unknown', responseMessage: 'no answer' } as const

/** The times of the inquiries about each key. The acquirer answers none of them before `ends`. */
function silence({ ends }: { readonly ends?: Temporal.Instant } = {}): Map<string, Temporal.Instant[]> {
  const askedAt = new Map<string, Temporal.Instant[]>()
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: async (lookup) => {
      askedAt.set(lookup.key, [...(askedAt.get(lookup.key) ?? []), lookup.at])
      const isSilent = ends === undefined || Temporal.Instant.compare(lookup.at, ends) < 0
      return isSilent ? NO_ANSWER : fixture.real.inquire(lookup)
    },
    closeKey: async () => NO_ANSWER,
  }
  return askedAt
}

/** A job that finds something to do at one time. */
function once(at: Temporal.Instant): Job {
  let isDone = false
  return {
    name: 'once',
    clock: 'business',
    nextRunAt: async () => (isDone ? null : at),
    run: async () => {
      if (isDone) return 0
      isDone = true
      return 1
    },
  }
}

function clockWith(...jobs: readonly Job[]): SandboxClock {
  return new SandboxClock({
    db: fixture.db,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', environment: 'test' }) },
    jobs: [...fixture.payments.jobs, ...fixture.customers.jobs, ...jobs],
    log: pino({ level: 'silent' }),
    present: { clock: renderClock },
  })
}

// Proves reference/sandbox#advancing, reference/payments#unknown-outcomes.
test('an advance by a year asks a few times about each outcome that stays open, not once for each hour', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const late = await newOrder(fixture, merchant, { timeout: { timer: '3600' } })
  await failure(pay(fixture, merchant, late.number))
  const good = { ...merchant, token: await fixture.bind(merchant, '4242424242424242') }
  const voided = await newOrder(fixture, merchant)
  await pay(fixture, good, voided.number)
  await fixture.setFaults({ lose_answer: 1 })
  await failure(voidOrder(fixture, merchant, voided.number))
  const card = await fixture.bind(merchant, '5555555555554444')
  await fixture.setFaults({})

  const askedAt = silence()
  const now = await clockWith().advance(merchant.caller, { by: 'P365D' })
  for (const [key, times] of askedAt) {
    expect(times.length, key).toBeLessThan(8)
    expect(times.at(-1)?.until(now).total('hours'), key).toBeLessThan(1)
  }
  expect(askedAt.size).toBe(3)
  fixture.between.acquirer = fixture.real
  await clockWith().advance(merchant.caller, { by: 'PT1H' })
  expect(await check(fixture, merchant, late.number)).toMatchObject({ state: 'completed' })
  expect(await check(fixture, merchant, voided.number)).toMatchObject({
    paid_total: '0.00',
    transactions: [{ payment_data: { transaction_state: 'voided' } }],
  })
  const { rows } = await fixture.admin.query('select state from payment_tokens where token = $1', [card])
  expect(rows).toEqual([{ state: 'active' }])
})

test('an open outcome is asked for in the hour before anything else of the business happens', async () => {
  const merchant = await fixture.newMerchant(BOOKS)
  const order = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, order.number))
  const startedAt = Temporal.Instant.from(order.created_at)
  const askedAt = silence({ ends: startedAt.add({ hours: 72 }) })
  const otherDue = startedAt.add({ hours: 168 })
  await clockWith(once(otherDue)).advance(merchant.caller, { by: 'P365D' })
  fixture.between.acquirer = fixture.real
  const [times = []] = askedAt.values()
  const gaps = times.slice(1).map((at, index) => Math.round(times[index]?.until(at).total('seconds') ?? 0))
  expect(gaps).toEqual([10, 60, 600, 167 * 3_600])
  const paid = await check(fixture, merchant, order.number)
  expect(paid).toMatchObject({ state: 'completed', paid_total: '100.00' })
  const [transaction] = paid.transactions
  expect(transaction).toMatchObject({ payment_data: { transaction_state: 'succeeded' } })
  const { rows } = await fixture.admin.query<{ succeeded_at: Temporal.Instant }>(
    'select succeeded_at from transactions where id = $1',
    [transaction?.uuid],
  )
  expect(rows[0]?.succeeded_at.toString()).toBe(times.at(-1)?.toString())
})
