import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { startsWith } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { lookUps, type Search, withoutRepeats } from '#platform/search'
import type { Customer } from '../profiles/customer.ts'

export function insertTerms(tx: Tx, customer: Customer): void {
  const { name, companyName, email } = customer
  tx.defer(
    tx.execute(sql`
      insert into customer_terms (business_id, term, customer_uuid)
      select ${tx.businessId}, t.term, ${customer.uuid} from ${termsOf(customer)} t (term)
      on conflict do nothing`),
  )
  // In the order of the key, so that two transactions do not wait for each other.
  tx.defer(
    tx.execute(sql`
      insert into customer_word_keys (business_id, key, word)
      select ${tx.businessId}, k.key, w.word
        from quittance_customer_words(${name}, ${companyName}, ${email}) w (word)
       cross join lateral quittance_typo_keys(w.word) k (key)
       where not exists (
             select from customer_word_keys e
              where e.business_id = ${tx.businessId} and e.key = left(w.word, 12) and e.word = w.word)
       order by k.key, w.word
      on conflict do nothing`),
  )
}

export function replaceTerms(tx: Tx, before: Customer, after: Customer): void {
  if (SEARCHED.every((member) => before[member] === after[member])) return
  tx.defer(
    tx.execute(sql`
      delete from customer_terms
       where business_id = ${tx.businessId} and customer_uuid = ${before.uuid}
         and term in (select t.term from ${termsOf(before)} t (term))`),
  )
  insertTerms(tx, after)
}

const SEARCHED = ['name', 'companyName', 'email', 'dialCode', 'phone'] as const

function termsOf({ name, companyName, email, dialCode, phone }: Customer): Sql {
  return sql`quittance_customer_terms(${name}, ${companyName}, ${email}, ${dialCode}, ${phone})`
}

export interface FoundCustomer {
  uuid: string
  reference_number: string
  name: string
  email: string | null
  phone: string
  created_at: Instant
}

const COLUMNS = sql`uuid, reference_number, name, email, phone, created_at`

export async function findCustomersByIdentifier(tx: Tx, search: Search): Promise<FoundCustomer[]> {
  const rows = await tx.query<FoundCustomer>(
    lookUps(tx.businessId, search, {
      name: sql`customers`,
      columns: COLUMNS,
      prefixes: [sql`uuid`, sql`reference_number`],
      newest: sql`created_at desc`,
    }),
  )
  return withoutRepeats(rows, ({ uuid }) => uuid)
}

/**
 * The forms of a text that a term may begin with: its words, the whole of it, and its digits when it can be a phone number, also
 * without the one to three digits of a country code, which the customer may have been stored without.
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

export async function findCustomersByTerms(
  tx: Tx,
  texts: readonly string[],
  limit: number,
): Promise<FoundCustomer[]> {
  return tx.query<FoundCustomer>(sql`
    with typed as (select text from unnest(${texts}::text[]) text),
         forms as materialized (${FORMS_OF}),
         found as materialized (
           select t.customer_uuid, min(t.term) as term
             from forms f
            cross join lateral (
                  select term, customer_uuid from customer_terms
                   where business_id = ${tx.businessId} and term >= f.form and term < f.beyond
                   order by term limit ${3 * limit}) t
            group by t.customer_uuid
            order by 2, 1
            limit ${limit})
    select ${COLUMNS}
      from found f
     cross join lateral (
           select * from customers c where c.business_id = ${tx.businessId} and c.uuid = f.customer_uuid offset 0) c
     order by f.term, uuid`)
}

export async function customersWithTerm(
  tx: Tx,
  text: string,
  isWhole: boolean,
  max: number,
): Promise<string[] | undefined> {
  const rows = await tx.query<{ customer_uuid: string }>(sql`
    select customer_uuid from customer_terms
     where business_id = ${tx.businessId} and ${isWhole ? sql`term = ${text}` : startsWith(sql`term`, text)}
     limit ${max + 1}`)
  return rows.length <= max ? [...new Set(rows.map((row) => row.customer_uuid))] : undefined
}

export async function findSimilarWords(
  tx: Tx,
  words: readonly string[],
): Promise<{ typed: string; word: string }[]> {
  return tx.query<{ typed: string; word: string }>(sql`
    select distinct t.typed, w.word
      from unnest(${words}::text[]) t (typed)
     cross join lateral quittance_typo_keys(t.typed) k (key)
     cross join lateral (
           select word from customer_word_keys
            where business_id = ${tx.businessId} and key = k.key
            order by word limit ${MAX_WORDS_OF_A_KEY}) w`)
}

const MAX_WORDS_OF_A_KEY = 50

export interface FoundToken {
  token: string
  customer_uuid: string
  brand: string | null
  token_type: string
  last_4: string | null
  state: string
  created_at: Instant
}

export async function findTokensByText(tx: Tx, search: Search): Promise<FoundToken[]> {
  const { lastFour } = search
  const rows = await tx.query<FoundToken>(
    lookUps(tx.businessId, search, {
      name: sql`payment_tokens`,
      columns: sql`token, customer_uuid, brand, token_type, last_4, state, created_at`,
      prefixes: [sql`token`],
      values: [lastFour === undefined ? undefined : sql`last_4 = ${lastFour}`],
      newest: sql`created_at desc, token desc`,
    }),
  )
  return withoutRepeats(rows, ({ token }) => token)
}
