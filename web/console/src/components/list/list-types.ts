import type { ReactNode } from 'react'
import type { Api } from '#app/api.ts'
import type { Comparator } from '#components/list/filter-language.ts'

interface ListQuery {
  readonly filter?: string
  readonly limit: number
  readonly cursor?: string
}

interface ListPageOf<Row> {
  readonly data: Row[]
  readonly nextCursor: string | null
}

interface Column<Row> {
  /** The text of the header is `column.<id>` in the area of the list. */
  readonly id: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Not shown unless the user chooses it. */
  readonly isHidden?: true
  /** Where it stands on a phone. A column without a place is left out there. */
  readonly phone?: 'title' | 'detail' | 'end' | 'end_detail' | 'below' | 'actions'
  /** What it says on a phone, where no header names it. Default: `cell`. */
  readonly phoneCell?: (row: Row) => ReactNode
  /** Its columns in the spreadsheet. */
  readonly exported?: readonly string[]
}

/** The text of the filter is `filter.<field>`, of a word `<words>.<word>` in the area of the list. */
export interface FilterField {
  readonly field: string
  readonly kind: 'word' | 'text' | 'exact' | 'time' | 'number'
  readonly words?: readonly string[]
  /** Default: `state` of the area `components`. */
  readonly wordLabel?: (word: string) => string
}

export const DEFAULT_COMPARATORS: Readonly<Record<FilterField['kind'], Comparator>> = {
  word: '=',
  text: ':',
  exact: '=',
  time: '>=',
  number: '>=',
}

export interface View {
  readonly name: string
  readonly filter: string
  readonly columns?: readonly string[]
}

export interface BulkAction<Row> {
  readonly name: string
  readonly label: string
  readonly scope: string
  /** Without selected rows the action is for all that the filter finds. */
  readonly takesFilter: boolean
  readonly start: (rows: readonly Row[], filter: string) => void
}

export interface ListDefinition<Row> {
  /** The area of its texts, and the name of its stored views and CSV files. */
  readonly name: string
  /** The path of the list in the API, for CSV. Without one the list cannot be exported. */
  readonly path?: string
  /** The spreadsheet for people. It begins with `columns`, whichever columns the screen shows. */
  readonly spreadsheet?: { readonly path: string; readonly columns: readonly string[] }
  /** Query members of the list beside the filter. They count for CSV too. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly load: (api: Api, query: ListQuery, signal: AbortSignal) => PromiseLike<ListPageOf<Row>>
  readonly rowId: (row: Row) => string
  /** The address that a row opens, such as `/orders/123`. */
  readonly rowLink?: (row: Row) => string
  /** What a row does that has no page of its own. */
  readonly rowOpen?: (row: Row) => void
  readonly columns: readonly Column<Row>[]
  readonly filters: readonly FilterField[]
  /** The list has no `filter`: each of these fields is a query member of its own, with one value. */
  readonly hasPlainFilters?: true
  /** Views that everyone has. Their texts are `view.<name>` in the area of the list. */
  readonly views?: readonly View[]
  /** The filter of the list if the address has none. The text `usual` of its area says that nothing is left of it. */
  readonly defaultFilter?: string
}
