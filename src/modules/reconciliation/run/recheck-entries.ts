import { realClock } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import type { Entry, Match } from '../model/entry.ts'
import {
  deleteMissingThere,
  openEntries,
  takenTransactions,
  updateMatches,
  withdrawnDisputes,
} from '../storage/entry.repository.ts'
import type { Run } from '../storage/run.repository.ts'
import { recordTotals } from './record-totals.ts'
import { findMatches } from './store-entries.ts'

const PAGE = 200
/** The outcome of a payment is known within days, and acquirers book within a week. */
const RECHECKED_DAYS = 30

export async function recheckEntries(
  deps: ReconciliationDependencies,
  tx: Tx,
  run: Run,
): Promise<string | null> {
  const { accountId, cursor } = run
  const foundAfter = realClock.now().subtract({ hours: 24 * RECHECKED_DAYS })
  const page = await openEntries(tx, accountId, { afterId: cursor ?? '', limit: PAGE, foundAfter })
  await recheckLines(deps, tx, run, page)
  await recheckMissingThere(
    deps,
    tx,
    run,
    page.filter(({ result }) => result === 'missing_there'),
  )
  return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
}

async function recheckLines(
  deps: ReconciliationDependencies,
  tx: Tx,
  run: Run,
  page: readonly Entry[],
): Promise<void> {
  const lines = page.filter(
    ({ result, type }) => result === 'missing_here' || (result === 'different_amount' && type === 'dispute'),
  )
  const matches = await findMatches(deps, tx, run, lines)
  const changed = lines.flatMap((entry) => {
    const match = matches.get(entry.id)
    return match === undefined || match.result === entry.result ? [] : [[entry, match] as const]
  })
  await updateMatches(
    tx,
    run.accountId,
    changed.map(([entry, match]): readonly [string, Match] => [entry.id, match]),
  )
  const found = changed.flatMap(([, { transactionId, disputeId }]) => transactionId ?? disputeId ?? [])
  const noLongerMissing = await deleteMissingThere(tx, run.accountId, found)
  const after = changed.map(([entry, match]) => ({ ...entry, ...match }))
  const before = changed.map(([entry]) => entry)
  await recordTotals(deps, tx, after, [...before, ...noLongerMissing])
}

async function recheckMissingThere(
  deps: ReconciliationDependencies,
  tx: Tx,
  { accountId }: Run,
  missing: readonly Entry[],
): Promise<void> {
  const ids = missing.flatMap(({ transactionId }) => transactionId ?? [])
  const disputeIds = missing.flatMap(({ disputeId }) => disputeId ?? [])
  const references = missing.flatMap(({ reference }) => reference ?? [])
  const [transactions, taken, withdrawn] = await Promise.all([
    deps.payments.findByAcquirerReferences(tx, accountId, references),
    takenTransactions(tx, ids),
    withdrawnDisputes(tx, disputeIds),
  ])
  const succeeded = new Set(transactions.filter(({ state }) => state === 'succeeded').map(({ id }) => id))
  const settled = [
    ...ids.filter((id) => taken.has(id) || !succeeded.has(id)),
    ...disputeIds.filter((id) => withdrawn.has(id)),
  ]
  await recordTotals(deps, tx, [], await deleteMissingThere(tx, accountId, settled))
}
