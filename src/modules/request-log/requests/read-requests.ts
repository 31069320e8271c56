import type { Caller } from '#platform/caller'
import { parseFilter } from '#platform/filter/filter'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { RequestLogDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import type { Entry, EntryWithBodies } from '../model/entry.ts'
import { findEntry, listEntries, REQUEST_FIELDS } from '../storage/entry.repository.ts'
import { lookUpOf } from '../storage/keys.ts'

type Dependencies = Pick<RequestLogDependencies, 'db' | 'businesses'>

export async function requestsOfPage(
  { db, businesses }: Dependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Entry[]> {
  const { timeZone } = await businesses.profile(businessId)
  const condition = filterCondition(filter, REQUEST_FIELDS, timeZone)
  const lookUp = filter === undefined ? undefined : lookUpOf(parseFilter(filter))
  return db.transact(businessId, (tx) => listEntries(tx, condition, request, lookUp), { isSearch: true })
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
