import sql, { empty, type Sql } from 'sql-template-tag'
import type { DateRange } from '#platform/http/validation/date-range'

/** The documents of a report: by their dates of issue. */
export interface IssuedScope {
  readonly range: DateRange
  readonly legalEntityId?: string | undefined
  readonly currency?: string | undefined
}

/** Zones differ from UTC by at most 14 hours, so that the time of creation finds the dates of issue by its index. */
export function isIssuedIn(
  businessId: string,
  { range: { from, to }, legalEntityId, currency }: IssuedScope,
): Sql {
  return sql`i.business_id = ${businessId}
       and i.issue_date between ${from.toString()}::date and ${to.toString()}::date
       and i.created_at >= ${`${from.subtract({ days: 1 }).toString()}T00:00:00Z`}::timestamptz
       and i.created_at < ${`${to.add({ days: 2 }).toString()}T00:00:00Z`}::timestamptz
       ${legalEntityId === undefined ? empty : sql`and i.legal_entity_id = ${legalEntityId}`}
       ${currency === undefined ? empty : sql`and i.currency = ${currency}`}`
}
