import { type ListSearch, readListSearch } from '#components/list/list-search.ts'

export const INVOICE_SORTS = [
  '-issue_date',
  'issue_date',
  '-due_date',
  'due_date',
  '-total',
  'total',
  '-amount_due',
  'amount_due',
  '-number',
  'number',
] as const

export interface InvoicesSearch extends ListSearch {
  /** In which a new invoice opens. */
  readonly currency?: string
  readonly sort?: (typeof INVOICE_SORTS)[number]
}

export function readInvoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  const { currency } = search
  const sort = INVOICE_SORTS.find((known) => known === search['sort'])
  return {
    ...readListSearch(search),
    ...(typeof currency === 'string' && { currency }),
    ...(sort !== undefined && { sort }),
  }
}
