import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { keptFee } from '../matching/days.ts'
import type { Entry, Result } from '../model/entry.ts'
import type { ReconciliationView } from '../read-reconciliations.ts'
import type { Run } from '../storage/run.repository.ts'
import type { Total } from '../storage/totals.repository.ts'
import type { EntriesData, ReconciliationData, ReconciliationsData, RunsData } from './schemas.ts'

type ShownReconciliation = Static<typeof ReconciliationData>['reconciliation']
type ShownEntry = Static<typeof EntriesData>['entries'][number]

export function renderReconciliationData(view: ReconciliationView): Static<typeof ReconciliationData> {
  return { reconciliation: renderReconciliation(view) }
}

export function renderReconciliationsPage(
  request: PageRequest,
  found: readonly ReconciliationView[],
): Static<typeof ReconciliationsData> {
  const keyOf = ({ reconciliation: { createdAt: at, id } }: ReconciliationView) => ({ at, id })
  const { rows, page } = renderPage(request, found, keyOf, renderReconciliation)
  return { reconciliations: rows, page }
}

function renderReconciliation({ reconciliation, totals }: ReconciliationView): ShownReconciliation {
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

function feesOf(totals: readonly Total[]): ShownReconciliation['fees'] {
  const kept = new Map<string, bigint>()
  for (const total of totals) {
    kept.set(total.currency, (kept.get(total.currency) ?? 0n) + keptFee(total))
  }
  return [...kept]
    .filter(([, minor]) => minor !== 0n)
    .map(([currency, minor]) => ({ currency, amount: Money.ofMinor(currency, minor) }))
}

function renderTotal(total: Total): ShownReconciliation['totals'][number] {
  const { type, result, currency, entries, grossMinor, feeMinor, netMinor } = total
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

export function renderEntriesPage(request: PageRequest, found: readonly Entry[]): Static<typeof EntriesData> {
  const { rows: entries, page } = renderPage(request, found, byCreation, renderEntry)
  return { entries, page }
}

function renderEntry(entry: Entry): ShownEntry {
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

function renderMoney(amount: Money): ShownEntry['expected'] {
  return { currency: amount.currency, amount }
}

export function renderRuns(runs: readonly Run[]): Static<typeof RunsData> {
  return { reconciliation_runs: runs.map(renderRun) }
}

function renderRun(run: Run): Static<typeof RunsData>['reconciliation_runs'][number] {
  return {
    acquirer_account_id: run.accountId,
    state: run.phase === null ? 'waiting' : 'running',
    next_run_at: toRfc3339(run.dueAt),
    completed_at: rfc3339OrNull(run.completedRun),
    problem: run.problem,
  }
}
