import type { Sql } from 'sql-template-tag'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { UsersDependencies } from './dependencies.ts'

export async function conditionOf(
  { businesses }: UsersDependencies,
  businessId: string,
  filter: string | undefined,
  fields: FilterFields,
): Promise<Sql | undefined> {
  if (filter === undefined) return undefined
  const { timeZone } = await businesses.profile(businessId)
  return filterCondition(filter, fields, timeZone)
}
