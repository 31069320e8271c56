import type { Caller } from '#platform/caller'
import { parseFilter } from '#platform/filter/filter'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { RequestLogDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import type { Entry, EntryWithBodies } from '../recording/entry.ts'
import { findEntry, keyOf, listEntries, requestFields } from '../storage/entry.repository.ts'

type Dependencies = Pick<RequestLogDependencies, 'db' | 'businesses'>

export async function requestsOfPage(
  { db, businesses }: Dependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Entry[]> {
  const { timeZone } = await businesses.profile(businessId)
  const condition = filterCondition(filter, requestFields(businessId), timeZone)
  const key = filter === undefined ? undefined : keyOf(parseFilter(filter))
  return db.transact(businessId, (tx) => listEntries(tx, condition, request, key), { isSearch: true })
}

export async function requestById(
  { db }: Dependencies,
  { businessId }: Caller,
  requestId: string,
): Promise<EntryWithBodies> {
  const entry = await db.transact(businessId, (tx) => findEntry(tx, requestId), { isSnapshot: true })
  if (entry === undefined) throw errors.request_not_found()
  return entry
}
