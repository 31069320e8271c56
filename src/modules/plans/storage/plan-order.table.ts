import type { Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import { readProgress, storedProgress } from '#modules/catalogue'
import { table } from '#platform/postgres/table'
import type { PlanOrder } from '../model/plan.ts'

/** Amounts are in the currency of the plan. */
interface StoredPlanOrder extends Omit<PlanOrder, 'credit' | 'givenCredit'> {
  readonly creditMinor: bigint
  readonly creditGivenMinor: bigint | null
  readonly creditTakenMinor: bigint | null
  readonly creditMissingMinor: bigint | null
  readonly periodStart: Instant
}

const STORED = table<StoredPlanOrder>('o', {
  orderId: 'text',
  planId: 'text',
  cyclePosition: 'integer',
  suffix: 'integer',
  counted: 'boolean',
  state: 'text',
  retriesExhausted: 'boolean',
  attempts: 'integer',
  attemptTransaction: 'text',
  attemptedAt: 'timestamptz',
  nextAttemptAt: 'timestamptz',
  blocked: 'boolean',
  voidAt: 'timestamptz',
  dunning: { type: 'json', read: readProgress, write: storedProgress },
  creditMinor: 'numeric',
  creditGivenMinor: 'numeric',
  creditTakenMinor: 'numeric',
  creditMissingMinor: 'numeric',
  paidFirst: 'text',
  createdAt: 'timestamptz',
  periodStart: 'timestamptz',
})

export const PLAN_ORDERS = STORED.without('periodStart')
export const NEW_PLAN_ORDERS = STORED.without(
  'creditGivenMinor',
  'creditTakenMinor',
  'creditMissingMinor',
  'paidFirst',
)

/** @param row with the columns of `PLAN_ORDERS` */
export function readPlanOrder(row: object, currency: string): PlanOrder {
  const { creditMinor, creditGivenMinor, creditTakenMinor, creditMissingMinor, ...order } =
    PLAN_ORDERS.read(row)
  const money = (minor: bigint | null) => Money.ofMinor(currency, minor ?? 0n)
  return {
    ...order,
    credit: money(creditMinor),
    givenCredit:
      creditGivenMinor === null
        ? null
        : {
            given: money(creditGivenMinor),
            taken: money(creditTakenMinor),
            missing: money(creditMissingMinor),
          },
  }
}
