import sql, { type Sql } from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import type { Instant } from '#kernel/clock'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import { holdsScope } from '#platform/http/authorization'
import { DATE_RANGE_QUERY, type DateRange, readDateRange } from '#platform/http/validation/date-range'
import { filteredListQuery, type PageKey, type PageRequest } from '#platform/http/validation/list'
import type { PaymentsContext } from '../context.ts'
import { ORDER_FIELDS } from '../storage/order-filter.ts'
import { listOrders, type ReadOrder } from '../storage/order-read.repository.ts'
import {
  type Days,
  type ListedTransaction,
  listTransactionsOfDays,
  TRANSACTION_FIELDS,
} from '../storage/transaction-list.repository.ts'

const PAGE = 500

export function rangeQuery(fields: FilterFields) {
  return { ...DATE_RANGE_QUERY, ...Type.Pick(filteredListQuery(fields), ['filter']).properties }
}
export type RangeQuery = Static<Type.TObject<ReturnType<typeof rangeQuery>>>

type SpreadsheetRow<Row> = Row & {
  readonly customer: string
  readonly zone: TimeZone
  readonly range: DateRange
}

export interface SpreadsheetRows<Row> {
  readonly range: DateRange
  readonly pages: AsyncGenerator<readonly SpreadsheetRow<Row>[]>
}

export type TransactionRow = SpreadsheetRow<ListedTransaction>
export type OrderRow = SpreadsheetRow<ReadOrder>

export function transactionRows(
  ctx: PaymentsContext,
  caller: Caller,
  query: RangeQuery,
): Promise<SpreadsheetRows<ListedTransaction>> {
  return rowsOf(ctx, caller, query, {
    fields: TRANSACTION_FIELDS,
    read: (days, condition, page) =>
      ctx.db.transact(caller.businessId, (tx) => listTransactionsOfDays(tx, days, condition, page), {
        isSnapshot: true,
        isSearch: query.filter !== undefined,
      }),
    keyOf: ({ transaction: { createdAt: at, id } }) => ({ at, id }),
    customerOf: ({ customerUuid }) => customerUuid,
  })
}

export function orderRows(
  ctx: PaymentsContext,
  caller: Caller,
  query: RangeQuery,
): Promise<SpreadsheetRows<ReadOrder>> {
  return rowsOf(ctx, caller, query, {
    fields: ORDER_FIELDS,
    read: ({ start, end }, condition, page) =>
      listOrders(
        ctx.db,
        caller.businessId,
        sql`o.created_at >= ${start}::timestamptz and o.created_at < ${end}::timestamptz and ${condition}`,
        page,
      ),
    keyOf: ({ order: { createdAt: at, id } }) => ({ at, id }),
    customerOf: ({ order: { customerUuid } }) => customerUuid,
  })
}

interface Source<Row> {
  readonly fields: FilterFields
  readonly read: (days: Days, condition: Sql, page: PageRequest) => Promise<Row[]>
  readonly keyOf: (row: Row) => PageKey
  readonly customerOf: (row: Row) => string | null
}

async function rowsOf<Row extends object>(
  ctx: PaymentsContext,
  caller: Caller,
  query: RangeQuery,
  { fields, read, keyOf, customerOf }: Source<Row>,
): Promise<SpreadsheetRows<Row>> {
  const { timeZone: zone } = await ctx.businesses.profile(caller.businessId)
  const filter = filterCondition(query.filter, fields, zone)
  const now = await ctx.db.transact(caller.businessId, async (tx): Promise<Instant> => tx.now)
  const range = readDateRange(query, localDateOf(now, zone))
  const days: Days = {
    from: range.from.toString(),
    to: range.to.toString(),
    start: startOfLocalDay(range.from, zone).toString(),
    end: startOfLocalDay(range.to.add({ days: 1 }), zone).toString(),
  }
  async function* pages(): AsyncGenerator<SpreadsheetRow<Row>[]> {
    for (let after: PageKey | undefined; ;) {
      const found = await read(days, filter, { list: '', offset: 0, limit: PAGE, after })
      const rows = found.slice(0, PAGE)
      const names = await namesOf(ctx, caller, new Set(rows.flatMap((row) => customerOf(row) ?? [])))
      yield rows.map((row) => {
        const uuid = customerOf(row) ?? ''
        return { ...row, customer: names.get(uuid) ?? uuid, zone, range }
      })
      const last = rows.at(-1)
      if (last === undefined || found.length <= PAGE) return
      after = keyOf(last)
    }
  }
  return { range, pages: pages() }
}

async function namesOf(
  ctx: PaymentsContext,
  { businessId, scopes }: Caller,
  uuids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const mayRead = scopes === undefined || holdsScope(scopes, 'customers:read')
  if (!mayRead || uuids.size === 0) return new Map()
  const found = await ctx.db.transact(businessId, (tx) => ctx.customers.findCustomers(tx, [...uuids]))
  return new Map([...found].map(([uuid, { name, referenceNumber }]) => [uuid, name || referenceNumber]))
}
