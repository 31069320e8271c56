import { type Instant, realClock } from '#kernel/clock'
import type { BalanceEntry } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import type { CountedEntry, Entry } from '../model/entry.ts'
import { matchEntries } from '../matching/match-entries.ts'
import {
  deleteMissingThere,
  findEntries,
  insertEntries,
  moveEntries,
  takenTransactions,
} from '../storage/entry.repository.ts'
import { reconciliationsOfDays } from '../storage/reconciliation.repository.ts'
import { recordTotals } from './record-totals.ts'

interface Account {
  readonly accountId: string
  readonly connectedAt: Instant
}

export async function storeEntries(
  deps: ReconciliationDependencies,
  tx: Tx,
  account: Account,
  page: readonly BalanceEntry[],
  payout: string | undefined,
): Promise<void> {
  const { accountId } = account
  const stored = await findEntries(
    tx,
    accountId,
    page.map(({ id }) => id),
  )
  const fresh = [...new Map(page.map((line) => [line.id, line])).values()].filter(({ id }) => !stored.has(id))
  const moved =
    payout === undefined ? [] : [...stored.values()].filter((entry) => entry.reconciliationId !== payout)
  const added = await matched(deps, tx, account, fresh, payout)
  const found = added.flatMap(({ transactionId, disputeId }) => transactionId ?? disputeId ?? [])
  const noLongerMissing = await deleteMissingThere(tx, accountId, found)
  await insertEntries(tx, accountId, added)
  if (payout !== undefined) {
    await moveEntries(
      tx,
      accountId,
      moved.map(({ id }) => id),
      payout,
    )
  }
  const takenOver = moved.map((entry): CountedEntry => ({
    ...entry,
    reconciliationId: payout ?? entry.reconciliationId,
  }))
  await recordTotals(deps, tx, [...added, ...takenOver], [...moved, ...noLongerMissing])
}

async function matched(
  deps: ReconciliationDependencies,
  tx: Tx,
  account: Account,
  lines: readonly BalanceEntry[],
  payout: string | undefined,
): Promise<Entry[]> {
  if (lines.length === 0) return []
  const days = payout === undefined ? [...new Set(lines.map(({ createdAt }) => dayOf(createdAt)))] : []
  const [matches, byDay] = await Promise.all([
    findMatches(deps, tx, account, lines),
    reconciliationsOfDays(tx, account.accountId, days),
  ])
  const foundAt = realClock.now()
  return lines.map((line) => {
    const match = matches.get(line.id)
    const reconciliationId = payout ?? byDay.get(dayOf(line.createdAt))
    if (match === undefined || reconciliationId === undefined) throw new Error(`line ${line.id} has no place`)
    return { ...line, ...match, reconciliationId, foundAt }
  })
}

export async function findMatches(
  deps: ReconciliationDependencies,
  tx: Tx,
  { accountId, connectedAt }: Account,
  lines: readonly BalanceEntry[],
): Promise<ReturnType<typeof matchEntries>> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))]
  const [transactions, disputes] = await Promise.all([
    deps.payments.findByAcquirerReferences(tx, accountId, references),
    deps.disputes.findByReferences(tx, accountId, references),
  ])
  const taken = await takenTransactions(
    tx,
    transactions.map(({ id }) => id),
  )
  return matchEntries(lines, { transactions, disputes, taken, connectedAt })
}

export function dayOf(at: Instant): string {
  return at.toString().slice(0, 'YYYY-MM-DD'.length)
}
