import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import type { Outcome } from '#platform/batches/batches'
import { currentCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { inRequest } from '#platform/request-scope'
import type { Recording } from '../context.ts'
import type { FollowUp, Initiated } from '../follow-ups/follow-up-request.ts'
import { initiateFollowUps } from './initiate-follow-ups.ts'
import { performFollowUp } from '../operations/perform.ts'
import { createFixture, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'
import {
  callerOf,
  expectSameRecordings,
  expectSameStored,
  shownRefusal,
  submitApart,
  submitTogether,
} from '../testing/together.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

// Proves reference/payments#captures, reference/payments#refunds, reference/payments#voiding.
const fixture = await createFixture()
const { db } = fixture
const { ctx } = fixture.payments
const [together, apart] = [await fixture.newMerchant(), await fixture.newMerchant()]

const members = fc.array(
  fc.record({
    kind: fc.constantFrom<FollowUp['kind']>('capture', 'refund', 'void'),
    of: fc.constantFrom('authorized', 'authorized', 'sold', 'sold', 'voided', 'none'),
    amount: fc.constantFrom(undefined, 30, 80, 0),
    reference: fc.constantFrom(undefined, undefined, 'x1', 'x2'),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  }),
  { minLength: 2, maxLength: 6 },
)
type Member = (typeof members extends fc.Arbitrary<infer Members> ? Members : never)[number]
type Transactions = Readonly<Record<string, string>>

async function createTransactions(merchant: Merchant, run: string): Promise<Transactions> {
  const payFor = async (name: string, type: 'Sales' | 'Authorization') => {
    const { number } = await newOrder(fixture, merchant, { reference_number: `${run}${name}` })
    return (await pay(fixture, merchant, number, { type })).transaction.uuid
  }
  const voided = await payFor('voided', 'Sales')
  await followUp(fixture, merchant, 'voidTransaction', voided)
  return {
    authorized: await payFor('authorized', 'Authorization'),
    sold: await payFor('sold', 'Sales'),
    voided,
  }
}

function followUpOf(merchant: Merchant, transactions: Transactions, run: string, member: Member): FollowUp {
  const { kind, of, amount, reference } = member
  const caller = callerOf(merchant, run, member)
  const request: FollowUpRequest = {
    transaction: { uuid: transactions[of] ?? 'none' },
    ...(amount !== undefined && { amount }),
    ...(reference !== undefined && { reference_id: `${run}${reference}` }),
  }
  return { kind, caller, cause: currentCause(), request }
}

function shownInitiated(outcome: PromiseSettledResult<Initiated>): string {
  if (outcome.status === 'rejected') return shownRefusal(outcome)
  const initiated = outcome.value
  if (initiated.kind === 'replied') return `replied ${initiated.result.transaction.state}`
  const { kind, operation, transaction } = initiated
  return [kind, operation.kind, transaction.amount.toString(), transaction.referenceId].join(' ')
}

/** Recordings, each in the request that waits for it. */
function recordings(
  { businessId }: Merchant,
  run: string,
  outcomes: readonly PromiseSettledResult<Initiated>[],
): Promise<Recording[]> {
  return Promise.all(
    outcomes.flatMap(async (outcome, index) => {
      if (outcome.status === 'rejected' || outcome.value.kind === 'replied') return []
      const initiated = outcome.value
      const acquirerResult = await performFollowUp(ctx, businessId, initiated)
      return inRequest(`${run}${index}`, 'critical', () => [
        { initiated, acquirerResult, charge: undefined, cause: currentCause() },
      ])
    }),
  ).then((found) => found.flat())
}

test('captures, refunds and voids that run together are those of the same requests one by one', async () => {
  await fc.assert(
    fc.asyncProperty(members, async (all) => {
      const run = newId('run')
      const paid = await createTransactions(together, run)
      const paidApart = await createTransactions(apart, run)
      const initiated = await submitTogether(
        db,
        together.businessId,
        (tx: Tx, set: readonly FollowUp[]): Promise<Outcome<Initiated>[]> => initiateFollowUps(ctx, tx, set),
        all.map((member) => followUpOf(together, paid, run, member)),
      )
      const initiatedApart = await submitApart(initiated.order, (index) =>
        ctx.sets.initiateFollowUps.submit(
          apart.businessId,
          followUpOf(apart, paidApart, run, all[index] as Member),
        ),
      )
      expect(initiated.outcomes.map(shownInitiated)).toEqual(initiatedApart.map(shownInitiated))
      await expectSameStored(fixture, [together, apart], run)

      const results = await recordings(together, run, initiated.outcomes)
      const resultsApart = await recordings(apart, run, initiatedApart)
      await expectSameRecordings(fixture, [together, apart], run, [results, resultsApart])
    }),
    { numRuns: 25 },
  )
})
