import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { toRfc3339 } from '#kernel/clock'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'

const fixture = await createFixture({ maxConcurrentCharges: 1, leaseRenewalMs: 0 })
const START = Temporal.Instant.from('2031-01-31T02:00:00Z')

// Proves reference/recurring#attempts.
test('the resolver does not abandon an attempt that waits long for its place at the acquirer', async () => {
  const shop = await Shop.open(fixture, START.toString())
  const { businessId } = shop.caller
  const customer = await shop.customer(CARDS.good)
  const plans = [await shop.plan(customer), await shop.plan(customer)]
  const { payments } = fixture
  const perform = payments.performCharge.bind(payments)
  const first = Promise.withResolvers<string>()
  const answered = Promise.withResolvers<void>()
  payments.performCharge = async (charge) => {
    first.resolve(charge.transaction.id)
    await answered.promise
    return perform(charge)
  }
  const run = { businessId, until: START, timeOf: (dueAt: Temporal.Instant) => dueAt }
  const billed = fixture.recurring.jobs[0]?.run(run)
  const atAcquirer = await first.promise
  const leaseOfWaiting = async () => {
    const [waiting] = await fixture.db.transact(businessId, (tx) =>
      tx.query<{ held: boolean }>(sql`
        select leased_until > now() as held from acquirer_operations
         where business_id = ${businessId} and key <> ${atAcquirer}`),
    )
    return waiting?.held
  }
  // The lease has expired by now.
  await fixture.db.transact(businessId, (tx) =>
    tx.execute(sql`
      update acquirer_operations set due_at = ${toRfc3339(START)}, leased_until = now()
       where business_id = ${businessId} and key <> ${atAcquirer}`),
  )
  await expect.poll(leaseOfWaiting).toBe(true)
  const resolver = payments.jobs.find((job) => job.name === 'payment_operations')
  const resolved = resolver?.run({ ...run, until: START.add({ minutes: 1 }) })
  answered.resolve()
  await Promise.all([billed, resolved])
  for (const plan of plans) {
    const [order] = await shop.orders(plan.id)
    expect(order).toMatchObject({ state: 'completed', transactions: [{ success: true }] })
  }
  payments.performCharge = perform
})
