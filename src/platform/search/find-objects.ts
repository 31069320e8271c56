import sql, { type Sql } from 'sql-template-tag'
import { startsWith } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Match, type Search, withoutRepeats } from './search.ts'
import type { TermIndex } from './term-index.ts'
import { correctionsOf, fold, wordsToCorrect } from './typing-errors.ts'

/** If fewer objects are found, words with typing errors match, too. */
const ENOUGH = 5

interface FindOptions<Row> {
  readonly columns: Sql
  readonly prefixes: readonly Sql[]
  readonly values?: readonly (Sql | undefined)[]
  readonly newest: Sql
  readonly idOf: (row: Row) => string
  readonly identifiersOf: (row: Row) => readonly (string | null)[]
}

export async function findObjects<Row extends object>(
  tx: Tx,
  search: Search,
  index: TermIndex,
  { columns, idOf, identifiersOf, ...table }: FindOptions<Row>,
): Promise<{ readonly row: Row; readonly match: Match }[]> {
  const [byIdentifier, byTerms] = await Promise.all([
    tx.query<Row>(lookUps(tx.businessId, search, { name: index.objects, columns, ...table })),
    findByTerms<Row>(tx, index, columns, [search.text], search.limit),
  ])
  const found = withoutRepeats([...byIdentifier, ...byTerms], idOf)
  const similar = found.length < ENOUGH ? await findSimilar<Row>(tx, index, columns, search) : []
  const known = new Set(found.map(idOf))
  return [
    ...found.map((row) => ({ row, match: matchOf(search, identifiersOf(row)) })),
    ...similar.filter((row) => !known.has(idOf(row))).map((row) => ({ row, match: 'similar' as const })),
  ]
}

async function findSimilar<Row extends object>(
  tx: Tx,
  index: TermIndex,
  columns: Sql,
  { text, limit }: Search,
): Promise<Row[]> {
  const folded = fold(text)
  const words = wordsToCorrect(folded)
  if (words.length === 0) return []
  const corrections = correctionsOf(folded, await findSimilarWords(tx, index, words))
  return corrections.length === 0 ? [] : findByTerms<Row>(tx, index, columns, corrections, limit)
}

/**
 * The forms of a text that a term may begin with: its words, the whole of it, and its digits when it can be a phone number, also
 * without the one to three digits of a country code, which may not have been stored.
 * `offset 0` keeps the bounds out of the condition on the terms: with them in it, row-level security would not let it use the
 * index.
 */
const FORMS_OF = sql`
  select distinct form, form || U&'\\+10FFFF' as beyond from (
    select array_to_string(quittance_words(text), ' ') as form, text from typed
    union
    select ltrim(quittance_fold(text), '@'), text from typed
    union
    select regexp_replace(text, '[^0-9]', '', 'g'), text from typed where text ~ '^[-+0-9 ().]{3,}$'
    union
    select substr(regexp_replace(text, '[^0-9]', '', 'g'), length), text from typed, generate_series(2, 4) length
     where text ~ '^[+][-0-9 ().]{9,}$') forms
   where form <> ''
  offset 0`

function findByTerms<Row extends object>(
  tx: Tx,
  { objects, id, terms, object }: TermIndex,
  columns: Sql,
  texts: readonly string[],
  limit: number,
): Promise<Row[]> {
  return tx.query<Row>(sql`
    with typed as (select text from unnest(${texts}::text[]) text),
         forms as materialized (${FORMS_OF}),
         found as materialized (
           select t.object, min(t.term) as term
             from forms f
            cross join lateral (
                  select term, ${object} as object from ${terms}
                   where business_id = ${tx.businessId} and term >= f.form and term < f.beyond
                   order by term limit ${3 * limit}) t
            group by t.object
            order by 2, 1
            limit ${limit})
    select ${columns}
      from found f
     cross join lateral (
           select * from ${objects} o where o.business_id = ${tx.businessId} and o.${id} = f.object offset 0) o
     order by f.term, o.${id}`)
}

/** Finds the ids of objects by their terms. Each text finds the first few. */
export async function objectsByTexts(
  tx: Tx,
  { terms, object }: TermIndex,
  texts: readonly string[],
  maxOfText: number,
): Promise<string[]> {
  const rows = await tx.query<{ object: string }>(sql`
    with typed as (select text from unnest((select ${[...texts]}::text[])) text),
         forms as materialized (${FORMS_OF})
    select distinct t.object
      from forms f
     cross join lateral (
           select ${object} as object from ${terms}
            where business_id = ${tx.businessId} and term >= f.form and term < f.beyond
            order by term limit ${maxOfText}) t`)
  return rows.map((row) => row.object)
}

/**
 * Finds the ids of objects with a term that equals the text or begins with it; undefined if more than `max` have
 * one.
 */
export async function objectsWithTerm(
  tx: Tx,
  { terms, object }: TermIndex,
  text: string,
  isWhole: boolean,
  max: number,
): Promise<string[] | undefined> {
  const rows = await tx.query<{ object: string }>(sql`
    select ${object} as object from ${terms}
     where business_id = ${tx.businessId} and ${isWhole ? sql`term = ${text}` : startsWith(sql`term`, text)}
     limit ${max + 1}`)
  return rows.length <= max ? [...new Set(rows.map((row) => row.object))] : undefined
}

function findSimilarWords(
  tx: Tx,
  { wordKeys }: TermIndex,
  words: readonly string[],
): Promise<{ typed: string; word: string }[]> {
  return tx.query<{ typed: string; word: string }>(sql`
    select distinct t.typed, w.word
      from unnest(${words}::text[]) t (typed)
     cross join lateral quittance_typo_keys(t.typed) k (key)
     cross join lateral (
           select word from ${wordKeys}
            where business_id = ${tx.businessId} and key = k.key
            order by word limit ${MAX_WORDS_OF_A_KEY}) w`)
}

const MAX_WORDS_OF_A_KEY = 50
