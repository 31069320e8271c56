import { type Instant, isBefore } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import {
  type CountedMoney,
  countedMoney,
  isMovedOutside,
  type OrderChange,
  type Transaction,
} from '#modules/payments'
import { type Fact, NOTHING } from '../model/fact.ts'

/**
 * Money counts where `countedMoney` of payments says; what no longer counts there is subtracted. Attempts to pay count on the day on
 * which they were made (reference/reports#days).
 */
export function factsOfChange(change: OrderChange, zone: TimeZone): Fact[] {
  const { order, before, at } = change
  const facts = change.transactions.flatMap((changed) => [
    ...moneyFacts(change, changed, zone),
    ...attemptFacts(change, changed),
  ])
  const isPaidNow = order.state === 'completed' && before?.state === 'open'
  return isPaidNow ? [...facts, fact(order.currency, at, { ordersPaid: 1 })] : facts
}

type Changed = OrderChange['transactions'][number]

function moneyFacts({ order }: OrderChange, { before, transaction }: Changed, zone: TimeZone): Fact[] {
  const counted = countedMoney(transaction)
  const noLonger = before === null ? [] : countedMoney(before)
  const isSame = (a: CountedMoney) => (b: CountedMoney) =>
    a.measure === b.measure && a.date === b.date && a.amount.equals(b.amount)
  const toFact = ({ measure, amount: { minor, currency }, date, at }: CountedMoney, sign: bigint) => {
    const amount = minor * sign
    const recurringPaid = order.type === 'recurring' ? amount : 0n
    return fact(
      currency,
      at ?? startOfLocalDay(Temporal.PlainDate.from(date), zone),
      measure === 'refunded' ? { refunded: amount } : { paid: amount, recurringPaid },
    )
  }
  return [
    ...counted.filter((one) => !noLonger.some(isSame(one))).map((one) => toFact(one, 1n)),
    ...noLonger.filter((one) => !counted.some(isSame(one))).map((one) => toFact(one, -1n)),
  ]
}

function attemptFacts({ order, allTransactions }: OrderChange, { before, transaction }: Changed): Fact[] {
  const { type, state, currency, succeededAt, createdAt } = transaction
  if ((type !== 'Sales' && type !== 'Authorization') || isMovedOutside(transaction)) return []
  const wasApproved = before !== null && before.succeededAt !== null
  const isApproved = succeededAt !== null && !wasApproved
  // What failed after its day was closed stays an approved attempt of that day.
  const isDeclined = state === 'failed' && before?.state !== 'failed' && succeededAt === null
  if (!isApproved && !isDeclined) return []
  const amount = transaction.amount.minor
  const dunning = order.type === 'recurring' && isRetry(transaction, allTransactions) ? amount : 0n
  return [
    fact(currency, createdAt, {
      approved: isApproved ? 1 : wasApproved && succeededAt === null ? -1 : 0,
      declined: isDeclined ? 1 : 0,
      dunningAttempted: dunning,
      dunningRecovered: isApproved ? dunning : 0n,
      declineCode: isDeclined ? transaction.answer.responseCode : null,
      declinedAmount: isDeclined ? amount : 0n,
    }),
  ]
}

/** An attempt after one that failed. The try of a fallback account belongs to the attempt before it. */
function isRetry({ createdAt, fallbackOf }: Transaction, allTransactions: readonly Transaction[]): boolean {
  return (
    fallbackOf === null &&
    allTransactions.some(
      (other) => other.type === 'Sales' && other.state === 'failed' && isBefore(other.createdAt, createdAt),
    )
  )
}

function fact(currency: string, dayAt: Instant, measures: Partial<Fact>): Fact {
  return { ...NOTHING, id: newId('fct'), dayAt, currency, ...measures }
}
