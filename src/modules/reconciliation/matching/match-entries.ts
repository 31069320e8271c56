import { type Instant, isBefore } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { BalanceEntry } from '#modules/acquirers'
import type { Dispute } from '#modules/disputes'
import type { AcquirerTransaction } from '#modules/payments'
import type { Match } from '../model/entry.ts'

export interface Candidates {
  readonly transactions: readonly AcquirerTransaction[]
  readonly disputes: readonly Dispute[]
  readonly taken: ReadonlySet<string>
  readonly connectedAt: Instant
}

function nothing({ createdAt }: BalanceEntry): Omit<Match, 'result'> {
  return { transactionId: null, orderNumber: null, disputeId: null, expected: null, movedAt: createdAt }
}

export function matchEntries(entries: readonly BalanceEntry[], candidates: Candidates): Map<string, Match> {
  const matches = new Map<string, Match>()
  for (const entry of entries) {
    if (entry.type === 'fee') matches.set(entry.id, { ...nothing(entry), result: 'fee' })
    else if (entry.type === 'dispute') matches.set(entry.id, matchDispute(entry, candidates))
    else if (!isMovement(entry)) matches.set(entry.id, { ...nothing(entry), result: 'other' })
  }
  for (const [id, match] of matchMovements(entries.filter(isMovement), candidates)) matches.set(id, match)
  return matches
}

function isMovement({ type }: BalanceEntry): boolean {
  return type === 'payment' || type === 'refund'
}

/**
 * Equal amounts are paired first: several captures of one payment, and several refunds, share their reference. What is left
 * with the same reference differs in its amount.
 */
function matchMovements(entries: readonly BalanceEntry[], candidates: Candidates): Map<string, Match> {
  const byReference = transactionsByReference(candidates.transactions)
  const taken = new Set(candidates.taken)
  const matches = new Map<string, Match>()
  const pair = (entry: BalanceEntry, fits: (transaction: AcquirerTransaction) => boolean) => {
    const found = (byReference.get(entry.reference ?? '') ?? []).find(
      (candidate) => isOfType(candidate, entry) && !taken.has(candidate.id) && fits(candidate),
    )
    if (found === undefined) return
    taken.add(found.id)
    const isEqual = isSameAmount(found.amount, amountOf(entry))
    matches.set(entry.id, {
      result: isEqual ? 'matched' : 'different_amount',
      transactionId: found.id,
      orderNumber: found.orderNumber,
      disputeId: null,
      expected: isEqual ? null : found.amount,
      movedAt: found.succeededAt ?? entry.createdAt,
    })
  }
  for (const entry of entries) pair(entry, ({ amount }) => isSameAmount(amount, amountOf(entry)))
  for (const entry of entries) if (!matches.has(entry.id)) pair(entry, () => true)
  for (const entry of entries) {
    if (!matches.has(entry.id)) matches.set(entry.id, unmatched(entry, candidates))
  }
  return matches
}

function transactionsByReference(
  transactions: readonly AcquirerTransaction[],
): Map<string, AcquirerTransaction[]> {
  const found = new Map<string, AcquirerTransaction[]>()
  for (const transaction of transactions) {
    for (const reference of new Set([transaction.gatewayTransactionId, transaction.rrn])) {
      const others = found.get(reference)
      if (others === undefined) found.set(reference, [transaction])
      else others.push(transaction)
    }
  }
  return found
}

function isOfType({ type, state }: AcquirerTransaction, entry: BalanceEntry): boolean {
  if (state !== 'succeeded' || type === 'Authorization') return false
  return (type === 'Refund') === (entry.type === 'refund')
}

function unmatched(entry: BalanceEntry, { connectedAt }: Candidates): Match {
  return { ...nothing(entry), result: isBefore(entry.createdAt, connectedAt) ? 'other' : 'missing_here' }
}

function matchDispute(entry: BalanceEntry, candidates: Candidates): Match {
  const dispute = candidates.disputes.find(({ reference }) => reference === entry.reference)
  if (dispute === undefined) return unmatched(entry, candidates)
  const amount = amountOf(entry).abs()
  const isEqual = isSameAmount(dispute.amount, amount)
  return {
    result: isEqual ? 'matched' : 'different_amount',
    transactionId: null,
    orderNumber: dispute.transaction?.orderNumber ?? null,
    disputeId: dispute.id,
    expected: isEqual ? null : dispute.amount,
    movedAt: entry.createdAt,
  }
}

export function amountOf({
  currency,
  grossMinor,
  paid,
}: Pick<BalanceEntry, 'currency' | 'grossMinor' | 'paid'>): Money {
  return paid === null ? Money.ofMinor(currency, grossMinor) : Money.ofMinor(paid.currency, paid.amountMinor)
}

function isSameAmount(a: Money, b: Money): boolean {
  return a.currency === b.currency && a.equals(b)
}
