import { expect } from 'vitest'
import { RequestError } from '#kernel/errors'
import { Batches, type BatchOptions } from '#platform/batches/batches'
import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { withKey } from '#platform/testing/requests'
import type { Recording } from '../context.ts'
import { recordForCallers } from '../sets/record-for-callers.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { Fixture, Merchant } from './fixture.ts'

/** The merchant as the caller of one member of a set, whose key names its whole request. */
export function callerOf(
  { caller }: Merchant,
  run: string,
  member: { readonly key?: string | undefined },
): Caller {
  return member.key === undefined ? caller : withKey(caller, `${run}${member.key}`, JSON.stringify(member))
}

/**
 * Submits requests that become one set. Those that must run again alone run one after another.
 * @returns `order`: the indexes of the requests, first those of the set, then those that ran again alone. Run one by one in
 *   this order, the requests have the same outcomes.
 */
export async function submitTogether<Request, Value>(
  db: Database,
  businessId: string,
  run: BatchOptions<Request, Value>['run'],
  requests: readonly Request[],
): Promise<{ readonly outcomes: PromiseSettledResult<Value>[]; readonly order: number[] }> {
  const alone: Request[] = []
  const batches = new Batches<Request, Value>(oneAtATime(db), {
    run: (tx, set) => {
      if (set.length === 1) alone.push(set[0] as Request)
      return run(tx, set)
    },
  })
  const outcomes = await Promise.allSettled(requests.map((request) => batches.submit(businessId, request)))
  const order = requests
    .map((request, index) => ({ index, rank: alone.lastIndexOf(request) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ index }) => index)
  return { outcomes, order }
}

function oneAtATime(db: Database): Pick<Database, 'transact'> {
  let last: Promise<unknown> = Promise.resolve()
  return {
    transact: (...work) => {
      const next = last.then(() => db.transact(...work))
      last = next.catch(() => {})
      return next
    },
  }
}

export async function submitApart<Value>(
  order: readonly number[],
  submit: (index: number) => Promise<Value>,
): Promise<PromiseSettledResult<Value>[]> {
  const outcomes: PromiseSettledResult<Value>[] = []
  for (const index of order) [outcomes[index]] = await Promise.allSettled([submit(index)])
  return outcomes
}

export function shownRefusal({ reason }: PromiseRejectedResult): string {
  if (!(reason instanceof RequestError)) throw reason
  return [reason.reason, reason.detail.param, reason.message].join(' ')
}

function shownResult(outcome: PromiseSettledResult<PaymentResult>): string {
  if (outcome.status === 'rejected') return shownRefusal(outcome)
  const { kind, order, transactions, transaction } = outcome.value
  return [kind, order.state, order.paidTotal.toString(), transaction.state, transactions.length].join(' ')
}

/** What is stored of the orders whose reference numbers begin with `run`. */
async function storedPayments(fixture: Fixture, { businessId }: Merchant, run: string): Promise<unknown> {
  const { rows } = await fixture.admin.query<{ stored: unknown }>(
    `select jsonb_build_object(
       'orders', (select jsonb_agg(jsonb_build_array(reference_number, state, initial_total_minor, customer_uuid is null, paid_total_minor, reserved_minor,
                   (select jsonb_agg(jsonb_build_array(e.type, e.sequence, e.request_id) order by e.sequence)
                      from events e where e.business_id = $1 and e.object_id = o.id),
                   (select jsonb_agg(jsonb_build_array(t.type, t.state, t.amount_minor, t.reference_id) order by t.amount_minor, t.type, t.state, t.reference_id)
                      from transactions t where t.business_id = $1 and t.order_id = o.id),
                   (select count(*) from acquirer_operations a where a.business_id = $1 and a.order_id = o.id))
                   order by reference_number)
                   from orders o where business_id = $1 and starts_with(reference_number, $2)),
       'keys', (select jsonb_agg(jsonb_build_array(key, status, fingerprint) order by key)
                 from idempotency_keys where business_id = $1 and starts_with(key, $2))) as stored`,
    [businessId, run],
  )
  return rows[0]?.stored
}

/** Records the outcomes of `run` in one set for the first merchant and one by one for the second, and expects the same of both. */
export async function expectSameRecordings(
  fixture: Fixture,
  [together, apart]: readonly [Merchant, Merchant],
  run: string,
  [results, resultsApart]: readonly [readonly Recording[], readonly Recording[]],
): Promise<void> {
  const { ctx } = fixture.payments
  const recorded = await submitTogether(
    fixture.db,
    together.businessId,
    (tx, set: readonly Recording[]) => recordForCallers(ctx, tx, set),
    results,
  )
  const recordedApart = await submitApart(recorded.order, (index) =>
    ctx.sets.recordForCallers.submit(apart.businessId, resultsApart[index] as Recording),
  )
  expect(recorded.outcomes.map(shownResult)).toEqual(recordedApart.map(shownResult))
  await expectSameStored(fixture, [together, apart], run)
}

export async function expectSameStored(
  fixture: Fixture,
  [together, apart]: readonly [Merchant, Merchant],
  run: string,
): Promise<void> {
  expect(await storedPayments(fixture, together, run)).toEqual(await storedPayments(fixture, apart, run))
}
