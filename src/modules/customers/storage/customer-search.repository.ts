import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { objectsByTexts } from '#platform/search/find-objects'
import { lookUps, type Search, withoutRepeats } from '#platform/search/search'
import type { TermIndex } from '#platform/search/term-index'

export const CUSTOMER_TERMS: TermIndex = {
  objects: sql`customers`,
  id: sql`uuid`,
  terms: sql`customer_terms`,
  object: sql`customer_uuid`,
  wordKeys: sql`customer_word_keys`,
  termsOf: sql`quittance_customer_terms(o.name, o.company_name, o.email, o.dial_code, o.phone)`,
  textOf: sql`concat_ws(' ', o.name, o.company_name, o.email)`,
}

const CUSTOMERS_OF_TEXT = 10

/** Finds the uuids of customers by the beginnings of their names, in any order of the words. */
export function findCustomersByTexts(tx: Tx, texts: readonly string[]): Promise<string[]> {
  return objectsByTexts(tx, CUSTOMER_TERMS, texts, CUSTOMERS_OF_TEXT)
}

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
