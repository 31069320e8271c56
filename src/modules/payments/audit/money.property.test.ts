import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import {
  check,
  createFixture,
  type Fixture,
  followUp,
  type Merchant,
  newOrder,
  pay,
  type ShownOrder,
  voidOrder,
} from '../testing/fixture.ts'
import type { BookLine } from '../../acquirers/testing/simulator.ts'
import { type BookLine as VerifiedLine, verifyBooks } from './verify-books.ts'
import { verifyPayments } from './verify.ts'

const fixture = await createFixture({ silenceMs: 1_000 })
const merchant = await fixture.newMerchant()

/** `pick` chooses among the order's transactions. */
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('authorize' as const), amount: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('capture' as const, 'refund' as const, 'voidTransaction' as const),
      pick: fc.nat(6),
      amount: fc.option(fc.integer({ min: 1, max: 60 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('voidOrder' as const) }) },
)
/** The operations of a step run concurrently. In a lossy step the acquirer loses responses. */
const step = fc.record({
  together: fc.array(operation, { minLength: 1, maxLength: 4 }),
  lossy: fc.boolean(),
})

type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never

async function run(
  to: Fixture,
  who: Merchant,
  number: string,
  order: ShownOrder,
  op: Operation,
): Promise<void> {
  switch (op.do) {
    case 'pay':
      return void (await pay(to, who, number, { amount: op.amount }))
    case 'authorize':
      return void (await pay(to, who, number, { type: 'Authorization', amount: op.amount }))
    case 'voidOrder':
      return void (await voidOrder(to, who, number))
    case 'capture':
    case 'refund':
    case 'voidTransaction': {
      const uuid = order.transactions[op.pick % Math.max(1, order.transactions.length)]?.uuid ?? 'txn_none'
      const amount = op.amount === null || op.do === 'voidTransaction' ? {} : { amount: op.amount }
      return void (await followUp(to, who, op.do, uuid, amount))
    }
  }
}

/** The order's money at the acquirer, from the acquirer's own books. */
function bookedTotal(order: ShownOrder, books: readonly BookLine[]): number {
  const ids = new Set(order.transactions.map((transaction) => transaction.uuid))
  const approved = books.filter((line) => line.outcome === 'approved')
  const voided = new Set(
    approved.filter((line) => line.operation === 'void').map((line) => line.original_key),
  )
  return approved
    .filter((line) => ids.has(line.key) && !voided.has(line.key) && line.operation !== 'authorization')
    .reduce((sum, line) => sum + (line.operation === 'refund' ? -1 : 1) * Number(line.amount), 0)
}

// Proves reference/payments#two-steps, reference/payments#unknown-outcomes, reference/payments#reservations, reference/orders#totals.

test('after any concurrent operations and lost responses paid_total equals the acquirer’s books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { number } = await newOrder(fixture, merchant)
      for (const { together, lossy } of steps) {
        const order = await check(fixture, merchant, number)
        if (lossy) await fixture.setFaults({ lose_answer: 0.3, fail_before: 0.2 })
        const done = await Promise.allSettled(together.map((op) => run(fixture, merchant, number, order, op)))
        if (lossy) await fixture.setFaults({})
        for (const one of done) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(RequestError)
        const now = await check(fixture, merchant, number)
        expect(Number(now.paid_total)).toBeLessThanOrEqual(100)
        expect(Number(now.paid_total)).toBeGreaterThanOrEqual(0)
      }
      await fixture.advance(merchant.businessId, { hours: 2 })
      const end = await check(fixture, merchant, number)
      expect(end.transactions.filter((one) => one.is_pending || one.void_is_pending)).toEqual([])
      const sum = end.transactions
        .filter((one) => one.success && one.type !== 'Authorization')
        .reduce((total, one) => total + one.amount, 0)
      expect(Number(end.paid_total)).toBe(sum)
      expect(sum).toBe(bookedTotal(end, await fixture.books()))
    }),
    { numRuns: 25, endOnFailure: true },
  )
  const breaches = await Array.fromAsync(verifyPayments(fixture.db)(merchant.businessId))
  const books = (await fixture.books()) as unknown[] as VerifiedLine[]
  breaches.push(
    ...(await Array.fromAsync(verifyBooks(fixture.db, [merchant.businessId], books, 'simulator'))),
  )
  expect(breaches).toEqual([])
})
