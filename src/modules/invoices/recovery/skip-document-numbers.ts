import type { Instant } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { BusinessProfile } from '#modules/businesses'
import { legalEntityIds } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { skipNumbers } from '../storage/sequence.repository.ts'

/** More than a billing run issues on any machine that we measured (docs/operating/capacity.md). */
const NUMBERS_A_SECOND = 2_000
/** The least that `recovered` skips (docs/operating/backup.md). */
const MIN_NUMBERS = 1_000
/** As many as of receipts, so that a night that was lost does not lengthen the numbers of documents to nine digits. */
export const MAX_NUMBERS = 1_000_000

/** At most how many numbers of one sequence were given from `since` to `until`. */
export function numbersToSkip(since: Instant, until: Instant): number {
  const seconds = Math.ceil(since.until(until).total('seconds'))
  return Math.min(Math.max(seconds * NUMBERS_A_SECOND, MIN_NUMBERS), MAX_NUMBERS)
}

export interface LostNumbers {
  readonly since: Instant
  readonly count: number
}

export async function skipDocumentNumbers(
  tx: Tx,
  { timeZone, environment }: Pick<BusinessProfile, 'timeZone' | 'environment'>,
  { since, count }: LostNumbers,
): Promise<void> {
  const yearOf = (at: Instant) => localDateOf(at, timeZone).year
  await skipNumbers(tx, await legalEntityIds(tx), {
    count,
    // A late bill is dated when it was due, so a document can be of the year before.
    firstYear: Math.min(yearOf(since), yearOf(tx.now)) - 1,
    lastYear: environment === 'test' ? null : yearOf(tx.now),
  })
}
