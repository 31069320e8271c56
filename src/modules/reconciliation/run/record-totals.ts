import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { changesOfDays } from '../matching/days.ts'
import type { CountedEntry } from '../model/entry.ts'
import { changesOfTotals } from '../matching/totals.ts'
import { changeDays } from '../storage/day.repository.ts'
import { changeTotals } from '../storage/totals.repository.ts'

export async function recordTotals(
  { businesses }: Pick<ReconciliationDependencies, 'businesses'>,
  tx: Tx,
  added: readonly CountedEntry[],
  removed: readonly CountedEntry[],
): Promise<void> {
  const { timeZone } = await businesses.profile(tx.businessId)
  await changeTotals(tx, changesOfTotals(added, removed))
  await changeDays(tx, changesOfDays(added, removed, timeZone))
}
