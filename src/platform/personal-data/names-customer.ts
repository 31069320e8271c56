import sql, { type Sql } from 'sql-template-tag'
import type { Subject } from './personal-data.ts'
import { MIN_LENGTH_INSIDE } from './rewrite.ts'

const OBJECT_ID = '[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}'

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

/** A condition: the text has an id of the table `named (id)`. */
export function namesObject(text: Sql): Sql {
  return sql`exists (select from regexp_matches(${text}, ${OBJECT_ID}, 'g') m (ids)
                      where m.ids[1] in (select id from named))`
}

export function namesCustomer(text: Sql, subject: Subject): Sql {
  return sql`(position(${subject.uuid}::text in ${text}) > 0
    or ${hasReference(text, subject, '(?:user_id|customer[._]reference_number)')})`
}

export function hasReference(text: Sql, { uuid, names }: Subject, memberPattern: string): Sql {
  const references = names.filter((name) => name !== uuid).map(escaped)
  return sql`${text} ~ ${`${memberPattern}"?\\s*(?::|=|!=)\\s*"?(?:${references.join('|')})(?:["\\s)]|$)`}`
}

function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')
}
