import sql, { type Sql } from 'sql-template-tag'
import type { Subject } from './personal-data.ts'
import { MIN_LENGTH_INSIDE } from './rewrite.ts'

/** As they stand in JSON, in paths and in queries. */
export function searchedTexts({ uuid, texts }: Subject): string[] {
  const long = texts.filter(({ length }) => length >= MIN_LENGTH_INSIDE)
  const inJson = long.map((text) => JSON.stringify(text).slice(1, -1))
  const inAddresses = long.flatMap((text) => [encodeURIComponent(text), asQueryValue(text)])
  return [...new Set([uuid, ...inJson, ...inAddresses])]
}

function asQueryValue(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

export function holdsAText(text: Sql, texts: readonly string[]): Sql {
  return sql`exists (select from unnest((select ${[...texts]}::text[])) n (text) where position(n.text in ${text}) > 0)`
}

/** A condition: the text has one of the texts, or names an object of the table `named (id)`. */
export function namesCustomer(text: Sql, texts: readonly string[]): Sql {
  return sql`(${holdsAText(text, texts)}
    or exists (select from regexp_matches(${text}, '[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}', 'g') m (ids)
                where m.ids[1] in (select id from named)))`
}
