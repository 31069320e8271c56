import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { BankEntryView, BankStatement } from '../model/bank-entry.ts'
import { ENTRY_FIELDS, findEntry, listEntries } from '../storage/entry.repository.ts'
import { findMatches, readMatches } from '../storage/match.repository.ts'
import { findStatement, listStatements, STATEMENT_FIELDS } from '../storage/statement.repository.ts'
import type { EntriesQuery } from './entries-query.ts'
import { suggestMatches } from './suggest-matches.ts'

export function entryById(
  ctx: BankTransfersContext,
  { businessId }: Caller,
  id: string,
): Promise<BankEntryView> {
  return ctx.db.transact(businessId, async (tx) => {
    const entry = await findEntry(tx, id)
    if (entry === undefined) throw errors.bank_entry_not_found()
    return { entry, matches: await findMatches(tx, [id]) }
  })
}

export async function entriesOfPage(
  ctx: BankTransfersContext,
  { businessId }: Caller,
  { filter, suggestions: isAsked = false }: EntriesQuery,
  request: PageRequest,
): Promise<BankEntryView[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, ENTRY_FIELDS, timeZone)
  const entries = await listEntries(ctx.db, businessId, condition, request)
  const matched = entries.filter(({ state }) => state === 'matched').map(({ id }) => id)
  const matches = Map.groupBy(await readMatches(ctx.db, businessId, matched), ({ entryId }) => entryId)
  const suggested = isAsked
    ? await ctx.db.transact(businessId, (tx) => suggestMatches(ctx, tx, entries))
    : undefined
  return entries.map((entry) => ({
    entry,
    matches: matches.get(entry.id) ?? [],
    ...(suggested !== undefined && { suggestions: suggested.get(entry.id) ?? [] }),
  }))
}

export async function statementById(
  ctx: BankTransfersContext,
  { businessId }: Caller,
  id: string,
): Promise<BankStatement> {
  const statement = await findStatement(ctx.db, businessId, id)
  if (statement === undefined) throw errors.bank_statement_not_found()
  return statement
}

export async function statementsOfPage(
  ctx: BankTransfersContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<BankStatement[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, STATEMENT_FIELDS, timeZone)
  return listStatements(ctx.db, businessId, condition, request)
}
