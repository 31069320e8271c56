import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'

/**
 * Finds objects of one kind by the beginnings of terms, and by words with a typing error, besides their identifiers.
 * Terms and words are in tables of their own, so that other changes of an object do not write them
 * (docs/decisions/search-without-trigrams).
 * - `objects`: The table of the objects. It is `o` in `termsOf` and `textOf`; `id` is its key.
 * - `terms`: A table `(business_id, term, …)`, whose third column is `object`.
 * - `wordKeys`: A table `(business_id, key, word)`. It has each word once, however many objects have it.
 * - `termsOf`: The call of a function that selects the terms of an object.
 * - `textOf`: The text of an object whose words are found with a typing error.
 *
 * Nothing here joins these tables: the planner would take a tenant for small, and hash all its rows.
 */
export interface TermIndex {
  readonly objects: Sql
  readonly id: Sql
  readonly terms: Sql
  readonly object: Sql
  readonly wordKeys: Sql
  readonly termsOf: Sql
  readonly textOf: Sql
}

/** The index of objects that have a name; `name` is its column, as `o.name`. */
export function nameIndex(
  tables: Pick<TermIndex, 'objects' | 'terms' | 'object' | 'wordKeys'>,
  name: Sql,
): TermIndex {
  return { ...tables, id: sql`id`, termsOf: sql`quittance_name_terms(${name})`, textOf: name }
}

export function insertTerms(tx: Tx, index: TermIndex, ids: readonly string[]): void {
  const { objects, terms, object, wordKeys, termsOf, textOf } = index
  const given = givenObjects(tx, index, ids)
  tx.defer(
    tx.execute(sql`
      insert into ${terms} (business_id, term, ${object})
      select ${tx.businessId}, t.term, o.${index.id} from ${objects} o cross join lateral ${termsOf} t (term) where ${given}
      on conflict do nothing`),
  )
  // In the order of the key, so that two transactions do not wait for each other.
  tx.defer(
    tx.execute(sql`
      with words as materialized (
           select distinct w.word, left(w.word, 12) as whole
             from ${objects} o cross join lateral quittance_text_words(${textOf}) w (word) where ${given}),
           added as materialized (
           select w.word from words w
            where (select true from ${wordKeys} e
                    where e.business_id = ${tx.businessId} and e.key = w.whole and e.word = w.word limit 1) is null)
      insert into ${wordKeys} (business_id, key, word)
      select ${tx.businessId}, k.key, a.word from added a cross join lateral quittance_typo_keys(a.word) k (key)
       order by k.key, a.word
      on conflict do nothing`),
  )
}

/**
 * Makes a change to objects and updates their terms. Deletes words that no object has any more.
 * @param texts their words are deleted, too, unless objects have them
 */
export async function replaceTerms<Result>(
  tx: Tx,
  index: TermIndex,
  ids: readonly string[],
  change: () => Promise<Result>,
  texts: readonly string[] = [],
): Promise<Result> {
  const [words] = await Promise.all([wordsOf(tx, index, ids, texts), deleteTerms(tx, index, ids)])
  const result = await change()
  insertTerms(tx, index, ids)
  if (words.length > 0) tx.defer(deleteUnusedWords(tx, index, words))
  return result
}

async function wordsOf(
  tx: Tx,
  index: TermIndex,
  ids: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ word: string }>(sql`
    select distinct w.word
      from (select ${index.textOf} as text from ${index.objects} o where ${givenObjects(tx, index, ids)}
            union all select text from unnest(${[...texts]}::text[]) text) texts
     cross join lateral quittance_text_words(texts.text) w (word)`)
  return rows.map(({ word }) => word)
}

async function deleteTerms(tx: Tx, index: TermIndex, ids: readonly string[]): Promise<void> {
  const { objects, terms, object, termsOf } = index
  await tx.execute(sql`
    with gone as materialized (
         select t.term from ${objects} o cross join lateral ${termsOf} t (term) where ${givenObjects(tx, index, ids)})
    delete from ${terms} s
     where s.business_id = ${tx.businessId} and s.term = any((select array_agg(term) from gone)::text[])
       and ${isOneOf(sql`s.${object}`, ids)}`)
}

/**
 * A term has a word when it begins with it and continues with no letter: with white space, a digit or a punctuation mark, which
 * stand before "a" and between "z" and the letters of other alphabets.
 */
async function deleteUnusedWords(
  tx: Tx,
  { terms, wordKeys }: TermIndex,
  words: readonly string[],
): Promise<void> {
  const used = (from: Sql, beyond: Sql): Sql =>
    sql`(select true from ${terms} s
          where s.business_id = ${tx.businessId} and s.term >= ${from} and s.term < ${beyond} limit 1)`
  await tx.execute(sql`
    with given as materialized (
         select word, word || 'a' as letter, word || '{' as brace, word || U&'\\0080' as other
           from unnest((select ${[...words]}::text[])) word),
         unused as materialized (
         select word from given g
          where ${used(sql`g.word`, sql`g.letter`)} is null and ${used(sql`g.brace`, sql`g.other`)} is null),
         keys as materialized (
         select distinct t.key from unused u cross join lateral quittance_typo_keys(u.word) t (key))
    delete from ${wordKeys} k
     where k.business_id = ${tx.businessId} and k.key = any((select array_agg(key) from keys)::text[])
       and k.word = any((select array_agg(word) from unused)::text[])`)
}

function givenObjects(tx: Tx, { id }: TermIndex, ids: readonly string[]): Sql {
  return sql`o.business_id = ${tx.businessId} and ${isOneOf(sql`o.${id}`, ids)}`
}

export function objectsWithoutTerms(index: TermIndex, businessId: string): Sql {
  const { objects, id, terms, object, termsOf } = index
  return sql`
    select o.${id} as object, 'the search would not find it by ' || t.term as detail
      from ${objects} o
     cross join lateral ${termsOf} t (term)
     where o.business_id = ${businessId}
       and not exists (
           select from ${terms} s
            where s.business_id = ${businessId} and s.term = t.term and s.${object} = o.${id})`
}
