import { Money } from '#kernel/money'
import type { PlanModel } from '../model/plan-model.ts'
import { creditOf, type GivingOrder, overGiven } from '../model/given-back-model.ts'
import type { Accounts } from './accounts.ts'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { type Findings, isTransfer, moneyOf } from './check-accounts.ts'

/**
 * Checks that no order of a plan returns more than was paid, over refunds, notes and changes together; that the
 * credit of the plan is what these gave and orders did not use; and that its transfers are those of the bank.
 */
export function checkGivenBack(
  { orders, plans }: Pick<Accounts, 'orders' | 'plans'>,
  models: readonly PlanModel[],
): Findings {
  const ofPlan = Map.groupBy(orders, ({ reference_number: reference }) => reference.replace(/-\d+$/, ''))
  const planOf = new Map(plans.map((plan) => [plan.id, plan]))
  return models.flatMap((model) => {
    const own = (ofPlan.get(model.life.name) ?? []).toSorted((a, b) => suffixOf(a) - suffixOf(b))
    const giving = own.map((order) => givingOrder(order, model))
    const shown = moneyOf('HKD', planOf.get(model.id)?.credit ?? 0).minor
    const wasUndone =
      model.transfers.some((transfer) => transfer.wasUndone) ||
      model.entries.some((entry) => entry.do === 'void')
    const findings = [
      ...creditOf(giving, { shown, wasUndone }),
      ...overGiven(giving, { shown, wasUndone }),
      ...own.flatMap((order) => checkTransfers(order, model)),
    ]
    return findings.map((finding) => `plan ${model.life.name}: ${finding}`)
  })
}

function suffixOf({ reference_number: reference }: ApiOrder): number {
  return Number(reference.split('-').at(-1))
}

function givingOrder(order: ApiOrder, { entries }: PlanModel): GivingOrder {
  const { number, transactions, billing } = order
  const paid = transactions.filter(({ type, success }) => (type === 'Sales' || type === 'Capture') && success)
  const refunds = transactions.filter(({ type, success }) => type === 'Refund' && success)
  const isStanding = order.state !== 'voided' || isCreditedInFull(order)
  return {
    number,
    isOfChange: billing?.kind === 'change',
    paid: sumOf(paid),
    refunded: sumOf(refunds),
    used: isStanding ? linesOf(order, 'credit') : 0n,
    gave: isStanding ? -linesOf(order, 'to_credit') : 0n,
    noted: entries.reduce(
      (sum, entry) =>
        entry.do === 'note' && entry.of.number === number && entry.refund === 'credit'
          ? sum + entry.restMinor
          : sum,
      0n,
    ),
  }
}

/** Such an order is voided if nothing was paid, and keeps what it used. */
function isCreditedInFull({ initial_total: total, billing }: ApiOrder): boolean {
  return total > 0 && billing?.credited_total === total
}

function sumOf(transactions: readonly ApiTransaction[]): bigint {
  return transactions.reduce((sum, { amount }) => sum + moneyOf('HKD', amount).abs().minor, 0n)
}

/** Returns what lines took off the order. */
function linesOf({ line_items: lines }: ApiOrder, kind: 'credit' | 'to_credit'): bigint {
  return (lines ?? []).reduce(
    (sum, line) => (line.kind === kind ? sum - moneyOf('HKD', line.total).minor : sum),
    0n,
  )
}

/** Returns the credit that the order used, negative if it gave some. */
export function usedCredit(order: ApiOrder): Money {
  return Money.ofMinor('HKD', linesOf(order, 'credit') + linesOf(order, 'to_credit'))
}

export function paidByTransfer({ transactions }: ApiOrder): Money {
  return Money.ofMinor('HKD', sumOf(transactions.filter((one) => isTransfer(one) && one.success)))
}

function checkTransfers({ number, transactions }: ApiOrder, { transfers }: PlanModel): Findings {
  const booked = transactions
    .filter((transaction) => isTransfer(transaction) && transaction.success)
    .map(({ amount, payment_data: { new_gateway_txn_id: reference } }) => {
      return `${reference} of ${moneyOf('HKD', amount).toString()}`
    })
  const expected = transfers
    .filter(({ order, isMatched }) => order === number && isMatched)
    .map(({ reference, amountMinor }) => `${reference} of ${Money.ofMinor('HKD', amountMinor).toString()}`)
  const [shown, wanted] = [booked, expected].map((list) => list.toSorted().join(', '))
  return shown === wanted
    ? []
    : [`${number} has the transfers ${shown || 'none'}, expected ${wanted || 'none'}`]
}
