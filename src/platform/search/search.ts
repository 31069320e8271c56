import sql, { join, type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { startsWith } from '#platform/filter/filter-sql'

/**
 * - `text`: As it was typed, without white space around it.
 * - `amountKey`: The key of the text as an amount (platform/filter/minor-units).
 */
export interface Search {
  readonly text: string
  readonly amountKey: bigint | undefined
  readonly lastFour: string | undefined
  readonly limit: number
}

export type Match = 'exact' | 'prefix' | 'similar'

export const SEARCHED_TYPES = [
  'order',
  'transaction',
  'customer',
  'plan',
  'invoice',
  'card',
  'payment_token',
  'wallet',
  'dispute',
  'request',
] as const

export interface SearchHit {
  readonly type: (typeof SEARCHED_TYPES)[number]
  readonly id: string
  readonly parentId: string | null
  readonly customerUuid?: string | null
  readonly reference?: string | null
  readonly title: string
  readonly subtitle: string | null
  readonly amount: Money | null
  readonly state: string | null
  readonly createdAt: Instant
  readonly match: Match
}

export function matchOf({ text, lastFour }: Search, identifiers: readonly (string | null)[]): Match {
  const typed = text.toLowerCase()
  const isExact = identifiers.some(
    (identifier) => identifier !== null && (identifier === lastFour || identifier.toLowerCase() === typed),
  )
  return isExact ? 'exact' : 'prefix'
}

/**
 * Look-ups in a table, each by an index, as one table expression.
 * - `prefixes`: Columns that are indexed with the tenant in the collation "C". Identifiers are found as they were typed, in
 *   capital letters, in small ones, and with the first letter a capital.
 * - `values`: Conditions on an index that continues with `newest`.
 */
export function lookUps(
  businessId: string,
  { text, limit }: Search,
  table: {
    readonly name: Sql
    readonly columns: Sql
    readonly prefixes: readonly Sql[]
    readonly values?: readonly (Sql | undefined)[]
    readonly newest: Sql
  },
): Sql {
  const from = sql`select ${table.columns} from ${table.name} where business_id = ${businessId}`
  const small = text.toLowerCase()
  const capital = text.toUpperCase()
  const spellings = [...new Set([text, small, capital, capital.slice(0, 1) + small.slice(1)])]
  return join(
    [
      ...table.prefixes.flatMap((column) =>
        spellings.map(
          (spelling) => sql`(${from} and ${startsWith(column, spelling)} order by ${column} limit ${limit})`,
        ),
      ),
      ...(table.values ?? [])
        .filter((value) => value !== undefined)
        .map((value) => sql`(${from} and ${value} order by ${table.newest} limit ${limit})`),
    ],
    ' union all ',
  )
}

export function withoutRepeats<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}
