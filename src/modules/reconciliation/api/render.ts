import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Entry, Result } from '../matching/entry.ts'
import type { Reconciliation } from '../storage/reconciliation.repository.ts'
import type { Run } from '../storage/run.repository.ts'
import type { Total } from '../storage/totals.repository.ts'

export function renderReconciliation(reconciliation: Reconciliation, totals: readonly Total[]): object {
  const { payout } = reconciliation
  return {
    id: reconciliation.id,
    acquirer_account_id: reconciliation.accountId,
    payout: payout && {
      id: payout.id,
      amount: payout.amount,
      currency: payout.amount.currency,
      state: payout.state,
      arrives_at: toRfc3339(payout.arrivesAt),
      lines: payout.lines,
    },
    date: reconciliation.day,
    matched: countOf(totals, 'matched'),
    missing_here: countOf(totals, 'missing_here'),
    missing_there: countOf(totals, 'missing_there'),
    different_amount: countOf(totals, 'different_amount'),
    fees: feesOf(totals),
    totals: totals.map(renderTotal),
    created_at: toRfc3339(reconciliation.createdAt),
  }
}

function countOf(totals: readonly Total[], result: Result): number {
  return totals.reduce((sum, total) => (total.result === result ? sum + total.entries : sum), 0)
}

function feesOf(totals: readonly Total[]): object[] {
  const kept = new Map<string, bigint>()
  for (const { type, currency, feeMinor, netMinor } of totals) {
    kept.set(currency, (kept.get(currency) ?? 0n) + (type === 'fee' ? -netMinor : feeMinor))
  }
  return [...kept]
    .filter(([, minor]) => minor !== 0n)
    .map(([currency, minor]) => ({ currency, amount: Money.ofMinor(currency, minor) }))
}

function renderTotal({ type, result, currency, entries, grossMinor, feeMinor, netMinor }: Total): object {
  return {
    type,
    result,
    currency,
    count: entries,
    gross: Money.ofMinor(currency, grossMinor),
    fee: Money.ofMinor(currency, feeMinor),
    net: Money.ofMinor(currency, netMinor),
  }
}

export function renderEntry(entry: Entry): object {
  const { currency, paid, transactionId, disputeId } = entry
  return {
    id: entry.id,
    result: entry.result,
    type: entry.type,
    acquirer_type: entry.acquirerType,
    acquirer_reference: entry.reference,
    currency,
    gross: Money.ofMinor(currency, entry.grossMinor),
    fee: Money.ofMinor(currency, entry.feeMinor),
    net: Money.ofMinor(currency, entry.netMinor),
    paid: paid && renderMoney(Money.ofMinor(paid.currency, paid.amountMinor)),
    expected: entry.expected && renderMoney(entry.expected),
    order_number: entry.orderNumber,
    transaction: transactionId === null ? null : { uuid: transactionId },
    dispute: disputeId === null ? null : { id: disputeId },
    created_at: toRfc3339(entry.createdAt),
    available_at: rfc3339OrNull(entry.availableAt),
  }
}

function renderMoney(amount: Money): object {
  return { currency: amount.currency, amount }
}

export function renderRun(run: Run): object {
  return {
    acquirer_account_id: run.accountId,
    state: run.phase === null ? 'waiting' : 'running',
    next_run_at: toRfc3339(run.dueAt),
    completed_at: rfc3339OrNull(run.completedRun),
    problem: run.problem,
  }
}
