import sql, { type Sql } from 'sql-template-tag'
import { requiredBeginnings } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { objectsWithTerm } from '#platform/search/find-objects'
import { fold, wordsOf } from '#platform/search/typing-errors'
import { CUSTOMER_TERMS } from './customer-search.repository.ts'

const foldedWords = (text: string) => wordsOf(fold(text)).join(' ')
const digits = (text: string) => text.replace(/[^0-9]/g, '')

export const CUSTOMER_FIELDS: FilterFields = {
  uuid: { type: 'text', column: sql`uuid`, prefix: true },
  reference_number: { type: 'text', column: sql`reference_number`, prefix: true },
  name: {
    type: 'text',
    column: sql`array_to_string(quittance_words(name), ' ')`,
    fold: foldedWords,
    beginsAnyWord: true,
  },
  email: { type: 'text', column: sql`quittance_fold(email)`, fold },
  phone: { type: 'text', column: sql`regexp_replace(phone, '[^0-9]', '', 'g')`, fold: digits },
  created_at: { type: 'time', column: sql`created_at` },
}

/**
 * Up to this many customers are read one by one and sorted. If more customers have a value, a scan of the list from
 * its newest end soon finds some.
 */
const MAX_SORTED = 2_000

export async function narrowedBy(tx: Tx, filter: string): Promise<Sql | undefined> {
  for (const { field, start, isWhole } of requiredBeginnings(filter, Object.keys(TERM_OF))) {
    const term = TERM_OF[field]?.(start) ?? ''
    if (term.length < MIN_TERM) continue
    const uuids = await objectsWithTerm(tx, CUSTOMER_TERMS, term, isWhole, MAX_SORTED)
    if (uuids !== undefined) return uuids.length === 0 ? sql`false` : isOneOf(sql`uuid`, uuids)
  }
  return undefined
}

const MIN_TERM = 3
/** Terms are stored with at most 80 characters (migrations/0003_search). */
const MAX_TERM = 80

const TERM_OF: Readonly<Record<string, (start: string) => string>> = {
  name: (start) => foldedWords(start).slice(0, MAX_TERM),
  email: (start) => fold(start).slice(0, MAX_TERM),
  phone: digits,
}

/** Uuids of customers whose address may be this one. */
export async function uuidsByEmail(tx: Tx, email: string): Promise<string[]> {
  const term = fold(email).slice(0, MAX_TERM)
  return (await objectsWithTerm(tx, CUSTOMER_TERMS, term, true, MAX_SORTED)) ?? []
}
