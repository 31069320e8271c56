import sql from 'sql-template-tag'
import { type Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { CreditSource } from '../model/given-credit.ts'
import type { PlanOrder } from '../model/plan.ts'

/** The credit that gave back payments of orders, less what was taken back. Orders without such credit are left out. */
export async function findGivenCredit(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  if (orderIds.length === 0) return new Map()
  const rows = await tx.query<{ order_id: string; currency: string; given: bigint }>(sql`
    select r.order_id, p.currency, r.credit_given_minor as given
      from recurring_orders r
      join recurring_plans p on p.business_id = r.business_id and p.id = r.plan_id
     where r.business_id = ${tx.businessId} and ${isOneOf(sql`r.order_id`, orderIds)}
       and r.credit_given_minor is not null`)
  return new Map(rows.map((row) => [row.order_id, Money.ofMinor(row.currency, row.given)] as const))
}

interface MovedCredit {
  readonly orderId: string
  readonly kind: 'moved_to_credit'
  readonly id: string
  readonly amount: Money
  readonly at: Instant
  readonly transactionId: null
}

/** Finds the credit that overpayments of orders became. */
export async function findMovedCredit(tx: Tx, orderIds: readonly string[]): Promise<MovedCredit[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<{
    moved_from: string
    id: string
    currency: string
    amount_minor: bigint
    created_at: Instant
  }>(sql`
    select c.moved_from, c.id, p.currency, c.amount_minor, c.created_at
      from recurring_credits c
      join recurring_plans p on p.business_id = c.business_id and p.id = c.plan_id
     where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.moved_from`, orderIds)}
     order by c.created_at, c.id`)
  return rows.map((row) => ({
    orderId: row.moved_from,
    kind: 'moved_to_credit',
    id: row.id,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    at: row.created_at,
    transactionId: null,
  }))
}

export interface NewGivenCredit extends CreditSource {
  readonly taken: Money
}

const newGivenCredit = rowsAs<NewGivenCredit>('c', {
  order_id: ['text', (c) => c.orderId],
  given: ['numeric', (c) => c.amount.minor.toString()],
  taken: ['numeric', (c) => c.taken.minor.toString()],
})

/** @param credits at most one for each order, because a statement cannot update a row twice */
export async function addGivenCredit(tx: Tx, credits: readonly NewGivenCredit[]): Promise<void> {
  if (credits.length === 0) return
  await tx.execute(sql`
    update recurring_orders r
       set credit_given_minor = coalesce(r.credit_given_minor, 0) + c.given,
           credit_taken_minor = coalesce(r.credit_taken_minor, 0) + c.taken
      from ${newGivenCredit(credits)}
     where r.business_id = ${tx.businessId} and r.order_id = c.order_id`)
}

const changedCredit = rowsAs<PlanOrder>('c', {
  order_id: ['text', (o) => o.orderId],
  given: ['numeric', (o) => o.givenCredit?.given.minor.toString() ?? null],
  taken: ['numeric', (o) => o.givenCredit?.taken.minor.toString() ?? null],
  missing: ['numeric', (o) => o.givenCredit?.missing.minor.toString() ?? null],
})

export async function updateGivenCredit(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders r
       set credit_given_minor = c.given, credit_taken_minor = c.taken, credit_missing_minor = c.missing
      from ${changedCredit(orders)}
     where r.business_id = ${tx.businessId} and r.order_id = c.order_id`)
}

export interface CreditOfGiver {
  readonly givenBy: string
  readonly orderId: string
  readonly amount: bigint
}

/** What the lines of orders gave to the credit of their plans, by the order that was paid for it. */
export function findCreditGivenBy(tx: Tx, givers: readonly string[]): Promise<CreditOfGiver[]> {
  if (givers.length === 0) return Promise.resolve([])
  return tx.query<CreditOfGiver>(sql`
    select given_by as "givenBy", order_id as "orderId", sum(amount_minor)::numeric as amount from recurring_credits
     where business_id = ${tx.businessId} and ${isOneOf(sql`given_by`, givers)} and order_id is not null
     group by given_by, order_id
     order by given_by, order_id`)
}

export interface MissingCredit {
  readonly orderId: string
  readonly planName: string
  readonly missing: Money
  readonly at: Instant
}

/** Credit that was spent before the payment that it gave back was lost. */
export async function findMissingCredit(tx: Tx, limit: number): Promise<MissingCredit[]> {
  const rows = await tx.query<{
    order_id: string
    name: string
    currency: string
    missing: bigint
    at: Instant
  }>(sql`
    select r.order_id, p.name, p.currency, r.credit_missing_minor as missing, r.created_at as at
      from recurring_orders r
      join recurring_plans p on p.business_id = r.business_id and p.id = r.plan_id
     where r.business_id = ${tx.businessId} and r.credit_missing_minor > 0
     order by r.created_at, r.order_id limit ${limit}`)
  return rows.map(({ order_id: orderId, name: planName, currency, missing, at }) => ({
    orderId,
    planName,
    missing: Money.ofMinor(currency, missing),
    at,
  }))
}
