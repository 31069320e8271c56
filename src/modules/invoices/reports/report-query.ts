import { localDateOf, type TimeZone } from '#kernel/time-zone'
import { legalEntity, taxErrors } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { readCurrency } from '#platform/http/validation/currency'
import { type DateRangeQuery, readDateRange } from '#platform/http/validation/date-range'
import type { InvoicesContext } from '../context.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'

export interface ScopeQuery {
  readonly currency?: string | undefined
  readonly legal_entity_id?: string | undefined
}

export type ReportQuery = ScopeQuery & DateRangeQuery

interface Asked extends Pick<IssuedScope, 'currency' | 'legalEntityId'> {
  readonly zone: TimeZone
  readonly today: Temporal.PlainDate
}

/** Refuses unknown currencies and legal entities, which a report would show as an empty one. */
export async function readScope(
  ctx: InvoicesContext,
  { businessId }: Caller,
  { currency: code, legal_entity_id: legalEntityId }: ScopeQuery,
): Promise<Asked> {
  const currency = readCurrency(code)
  const { timeZone: zone } = await ctx.businesses.profile(businessId)
  const today = await ctx.db.transact(businessId, async (tx) => {
    if (legalEntityId !== undefined && (await legalEntity(tx, legalEntityId)) === undefined) {
      throw taxErrors.legal_entity_not_found({ param: 'legal_entity_id' })
    }
    return localDateOf(tx.now, zone)
  })
  return { currency, legalEntityId, zone, today }
}

export async function readIssuedScope(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
): Promise<IssuedScope & Pick<Asked, 'zone' | 'today'>> {
  const scope = await readScope(ctx, caller, query)
  return { ...scope, range: readDateRange(query, scope.today) }
}
