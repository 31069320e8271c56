import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import type { Outcome } from '#platform/batches/batches'
import { currentCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { inRequest } from '#platform/request-scope'
import type { Charge } from '../model/charge.ts'
import { initiatePayments } from './initiate-payments.ts'
import type { Payment, Recording } from '../context.ts'
import { performCharge } from '../operations/perform.ts'
import { createFixture, type Merchant, newOrder } from '../testing/fixture.ts'
import {
  callerOf,
  expectSameRecordings,
  expectSameStored,
  shownRefusal,
  submitApart,
  submitTogether,
} from '../testing/together.ts'

// Proves reference/payments#paying, reference/conventions#idempotency.
const fixture = await createFixture()
const { db } = fixture
const { ctx } = fixture.payments
const [together, apart] = [await newPayers(), await newPayers()]

interface Payers extends Merchant {
  readonly tokens: Readonly<Record<'good' | 'poor' | 'missing', string>>
}

async function newPayers(): Promise<Payers> {
  const merchant = await fixture.newMerchant()
  const poor = await fixture.bind(merchant, '4000000000009995')
  return { ...merchant, tokens: { good: merchant.token, poor, missing: 'tok_missing' } }
}

const members = fc.array(
  fc.record({
    order: fc.constantFrom('o1', 'o2', 'o3', 'none'),
    isByNumber: fc.boolean(),
    type: fc.constantFrom('Sales', 'Authorization'),
    amount: fc.constantFrom(undefined, 40, 60, 200, 0),
    token: fc.constantFrom('good', 'good', 'good', 'poor', 'missing'),
    reference: fc.constantFrom(undefined, undefined, 'x1', 'x2'),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  }),
  { minLength: 2, maxLength: 8 },
)
type Member = (typeof members extends fc.Arbitrary<infer Members> ? Members : never)[number]
type Orders = Readonly<Record<string, string>>

async function createOrders(payers: Payers, run: string): Promise<Orders> {
  const numbers: Record<string, string> = {}
  for (const name of ['o1', 'o2', 'o3']) {
    const order = { reference_number: `${run}${name}`, customer_uuid: payers.customerUuid }
    numbers[name] = (await newOrder(fixture, payers, order)).number
  }
  return numbers
}

function paymentOf(payers: Payers, orders: Orders, run: string, member: Member): Payment {
  const { order, isByNumber, type, amount, token, reference } = member
  return {
    caller: callerOf(payers, run, member),
    request: {
      order: isByNumber ? { number: orders[order] ?? 'none' } : { reference_number: `${run}${order}` },
      transaction: {
        type,
        payment_token: payers.tokens[token],
        ...(amount !== undefined && { amount }),
        ...(reference !== undefined && { reference_id: `${run}${reference}` }),
      },
    },
  }
}

function shownCharge(outcome: PromiseSettledResult<Charge>): string {
  if (outcome.status === 'rejected') return shownRefusal(outcome)
  const { order, transaction, operation } = outcome.value
  const { type, amount, state, referenceId } = transaction
  return [
    order.referenceNumber,
    type,
    amount.toString(),
    state,
    referenceId,
    operation.idempotencyId !== null,
  ].join(' ')
}

/** A recording, in the request that waits for it. */
async function recordingOf(charge: Charge, requestId: string): Promise<Recording> {
  const acquirerResult = await performCharge(ctx, charge)
  return inRequest(requestId, 'critical', () => ({
    initiated: charge,
    acquirerResult,
    charge,
    cause: currentCause(),
  }))
}

test('payments that are initiated and recorded together are those of the same requests one by one', async () => {
  await fc.assert(
    fc.asyncProperty(members, async (all) => {
      const run = newId('run')
      const [orders, ordersApart] = [await createOrders(together, run), await createOrders(apart, run)]
      const initiated = await submitTogether(
        db,
        together.businessId,
        (tx: Tx, set: readonly Payment[]): Promise<Outcome<Charge>[]> => initiatePayments(ctx, tx, set),
        all.map((member) => paymentOf(together, orders, run, member)),
      )
      const initiatedApart = await submitApart(initiated.order, (index) =>
        ctx.sets.initiatePayments.submit(
          apart.businessId,
          paymentOf(apart, ordersApart, run, all[index] as Member),
        ),
      )
      expect(initiated.outcomes.map(shownCharge)).toEqual(initiatedApart.map(shownCharge))
      await expectSameStored(fixture, [together, apart], run)

      const recordings = (outcomes: readonly PromiseSettledResult<Charge>[]) =>
        Promise.all(
          outcomes.flatMap((outcome, index) =>
            outcome.status === 'fulfilled' ? [recordingOf(outcome.value, `${run}${index}`)] : [],
          ),
        )
      const results = await recordings(initiated.outcomes)
      const resultsApart = await recordings(initiatedApart)
      await expectSameRecordings(fixture, [together, apart], run, [results, resultsApart])
    }),
    { numRuns: 25 },
  )
})
