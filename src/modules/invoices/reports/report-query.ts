import Type, { type Static } from 'typebox'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import { legalEntity, taxErrors, TREATMENTS } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { readCurrency } from '#platform/http/validation/currency'
import { type DATE_RANGE_QUERY, readDateRange } from '#platform/http/validation/date-range'
import { DateOnly, OneOf, Text } from '#platform/http/validation/schemas'
import type { InvoicesContext } from '../context.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'

type Query<Members extends Type.TProperties> = Static<Type.TObject<Members>>

export const REPORT_SCOPE = {
  currency: Type.Optional(Text({ max: 3, description: 'Only documents in this currency (ISO 4217).' })),
  legal_entity_id: Type.Optional(Text({ max: 64, description: 'Only documents of this seller.' })),
}

type ScopeQuery = Query<typeof REPORT_SCOPE>

export type ReportQuery = Query<typeof DATE_RANGE_QUERY & typeof REPORT_SCOPE>

const OnlyTreatment = Type.Optional(OneOf(TREATMENTS, { description: 'Only rows with it.' }))
const only = (description = 'Only rows with it.') => Type.Optional(Text({ min: 0, max: 255, description }))
const ONLY_OR_NULL = 'Only rows with it; empty for those without.'

/** Only rows with these values; an empty text stands for null. */
export const TAX_ROWS_FILTER = {
  country: only(),
  region: only(ONLY_OR_NULL),
  treatment: OnlyTreatment,
  name: only(),
  percentage: Type.Optional(Text({ max: 20, description: 'Only rows with it, such as `19`.' })),
  category: only(ONLY_OR_NULL),
}
export type TaxRowsQuery = ReportQuery & Query<typeof TAX_ROWS_FILTER>

export const BUYER_ROWS_FILTER = {
  buyer_tax_id: only(ONLY_OR_NULL),
  buyer_country: only(ONLY_OR_NULL),
  buyer_name: only(),
  treatment: OnlyTreatment,
}
export type BuyerRowsQuery = ReportQuery & Query<typeof BUYER_ROWS_FILTER>

export const OPEN_SCOPE = {
  at: Type.Optional(DateOnly({ description: 'As it was at the end of this local day; today when omitted.' })),
  ...REPORT_SCOPE,
}
export type OpenQuery = Query<typeof OPEN_SCOPE>

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
