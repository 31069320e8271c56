import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { lockedUntilOf, readOrderTax, storedOrderTax } from '#modules/taxes'
import { amountKey } from '#platform/filter/minor-units'
import { type ClockRow, timeOn } from '#platform/postgres/tenant-session'
import { readFiltered } from '#platform/filter/read-filtered'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import { amount, composed, json, table } from '#platform/postgres/table'
import type { BillingKind, Order, OrderInvoice, Voiding } from '../model/order.ts'
import { readLines, storedLines } from '../model/stored-lines.ts'
import { byIds, type OrderSelector } from './order-selector.ts'
import { TRANSACTIONS } from './transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'

const ORDERS = table<Order>('o', {
  id: 'text',
  source: 'text',
  type: 'text',
  referenceNumber: 'text',
  currency: 'text',
  dueDate: 'date',
  initialTotal: amount('initial_total_minor'),
  initialTips: amount('initial_tips_minor'),
  paidTotal: amount('paid_total_minor'),
  reservedTotal: amount('reserved_minor'),
  creditedTotal: amount('credited_minor'),
  writtenOff: rareAmount('written_off_minor'),
  movedToCredit: rareAmount('moved_to_credit_minor'),
  notedRefunds: rareAmount('noted_refunds_minor'),
  state: 'text',
  customerUuid: 'text',
  planId: 'text',
  billingKind: {
    type: 'text',
    read: (kind: BillingKind | null) => kind ?? 'period',
    write: (kind) => (kind === 'period' ? null : kind),
  },
  invoice: composed(
    ['invoice_id', 'invoice_number'],
    (id: string | null, number: string | null) => (id === null || number === null ? null : { id, number }),
    {
      invoice_id: ['text', (invoice) => invoice?.id ?? null],
      invoice_number: ['text', (invoice) => invoice?.number ?? null],
    },
  ),
  tax: composed(
    ['tax', 'currency'],
    (tax: string | null, currency: string) => (tax === null ? null : readOrderTax(tax, currency)),
    { tax: ['json', (tax) => tax && storedOrderTax(tax)] },
  ),
  returnUrl: 'text',
  notifyUrl: 'text',
  timeout: composed(
    ['timeout_timer', 'timeout_seconds', 'timeout_url'],
    (timer: string | null, seconds: number | null, url: string | null) =>
      timer === null || seconds === null ? null : { timer, seconds, url },
    {
      timeout_timer: ['text', (timeout) => timeout?.timer ?? null],
      timeout_seconds: ['integer', (timeout) => timeout?.seconds ?? null],
      timeout_url: ['text', (timeout) => timeout?.url ?? null],
    },
  ),
  expiresAt: 'timestamptz',
  lineItems: composed(['currency', 'line_items'], readLines, { line_items: ['json', storedLines] }),
  metadata: json(),
  planMetadata: json(),
  voiding: composed(
    ['void_mode', 'void_idempotency_id', 'void_request_id', 'void_due_at', 'void_inquiries'],
    readVoiding,
    {
      void_mode: ['text', (voiding) => voiding?.mode ?? null],
      void_idempotency_id: ['text', (voiding) => voiding?.idempotencyId ?? null],
      void_request_id: ['text', (voiding) => voiding?.requestId ?? null],
      void_due_at: ['timestamptz', (voiding) => rfc3339OrNull(voiding?.dueAt)],
      void_inquiries: ['integer', (voiding) => voiding?.inquiries ?? 0],
    },
  ),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

/** Null for nothing. */
function rareAmount(column: string) {
  return composed(
    ['currency', column],
    (currency: string, minor: bigint | null) => Money.ofMinor(currency, minor ?? 0n),
    { [column]: ['numeric', (money: Money) => (money.isZero() ? null : money.minor)] },
  )
}

function readVoiding(
  mode: Voiding['mode'] | null,
  idempotencyId: string | null,
  requestId: string | null,
  dueAt: Instant | null,
  inquiries: number,
): Voiding | null {
  return mode === null || dueAt === null ? null : { mode, idempotencyId, requestId, dueAt, inquiries }
}

const NEW_WITH_MORE = ORDERS.without(
  'paidTotal',
  'creditedTotal',
  'writtenOff',
  'movedToCredit',
  'notedRefunds',
  'voiding',
  'updatedAt',
)
const NEW = NEW_WITH_MORE.without('metadata', 'planMetadata', 'billingKind', 'invoice', 'tax')
/** A new order changes when it is made. */
const CREATED = { updated_at: sql`n.created_at` }

const CHANGED_WITH_MORE = ORDERS.only(
  'id',
  'paidTotal',
  'reservedTotal',
  'creditedTotal',
  'state',
  'expiresAt',
  'voiding',
  'updatedAt',
  'writtenOff',
  'movedToCredit',
  'notedRefunds',
)
const CHANGED = CHANGED_WITH_MORE.without('writtenOff', 'movedToCredit', 'notedRefunds')

const SET = CHANGED.without('id').setFrom('c')
const SET_WITH_MORE = CHANGED_WITH_MORE.without('id').setFrom('c')
const changedOrders = CHANGED.rowsAs('c')
const changedOrdersWithMore = CHANGED_WITH_MORE.rowsAs('c')

const BILL = ORDERS.only('invoice', 'lineItems', 'tax', 'dueDate')

/**
 * Locks orders in the order of their ids, so that no two transactions wait for each other. `nulls first` matches no index.
 * With an index in this order, the planner would read all orders of a business to find one by its reference.
 */
export async function lockOrders(tx: Tx, selector: OrderSelector): Promise<Order[]> {
  const rows = await tx.query(lockingOrders(tx, selector, ORDERS.columns))
  return rows.map(ORDERS.read)
}

/** Also reads the last closed day, with the same statement. */
export async function lockOrdersOfOpenDays(
  tx: Tx,
  selector: OrderSelector,
): Promise<{ readonly orders: Order[]; readonly lockedUntil: string | null }> {
  const columns = sql`${ORDERS.columns}, ${lockedUntilOf(tx.businessId)} as locked_until`
  const rows = await tx.query<{ locked_until: string | null }>(lockingOrders(tx, selector, columns))
  return { orders: rows.map(ORDERS.read), lockedUntil: rows[0]?.locked_until ?? null }
}

function lockingOrders(tx: Tx, selector: OrderSelector, columns: Sql): Sql {
  return sql`
    select ${columns} from orders o
     where o.business_id = ${tx.businessId} and ${selector}
     order by o.id nulls first
       for update of o`
}

export async function lockDueOrders(
  tx: Tx,
  selector: OrderSelector,
  earliest: Sql,
  limit: number,
): Promise<Order[]> {
  const rows = await tx.query(sql`
    select ${ORDERS.columns} from orders o
     where o.business_id = ${tx.businessId} and ${selector}
     order by ${earliest}, o.id
     limit ${limit}
       for update skip locked`)
  return rows.map(ORDERS.read)
}

/** Returns the ids of the orders whose reference number was free; the others are not inserted. */
export async function insertOrders(tx: Tx, orders: readonly Order[]): Promise<Set<string>> {
  const hasMore = orders.some(
    ({ metadata, planMetadata, billingKind, invoice, tax }) =>
      metadata !== null ||
      planMetadata !== null ||
      billingKind !== 'period' ||
      invoice !== null ||
      tax !== null,
  )
  const rows = await tx.query<{ id: string }>(sql`
    insert into orders ${(hasMore ? NEW_WITH_MORE : NEW).values(tx.businessId, orders, CREATED)}
    on conflict (business_id, reference_number) do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}

function hasMoreAmounts(order: Order | null): boolean {
  if (order === null) return false
  return [order.writtenOff, order.movedToCredit, order.notedRefunds].some((money) => !money.isZero())
}

interface ChangedOrder {
  readonly before: Order | null
  readonly order: Order
}

/** Leaves out the three amounts that most orders never have. */
export async function updateOrders(tx: Tx, changes: readonly ChangedOrder[]): Promise<void> {
  const orders = changes.map(({ order }) => order)
  const hasMore = changes.some(({ before, order }) => hasMoreAmounts(order) || hasMoreAmounts(before))
  await tx.execute(sql`
    update orders o set ${hasMore ? SET_WITH_MORE : SET}
      from ${hasMore ? changedOrdersWithMore(orders) : changedOrders(orders)}
     where o.business_id = ${tx.businessId} and o.id = c.id`)
}

/** What the order bills, which only a reissue of its invoice changes. */
export async function updateBill(tx: Tx, order: Order): Promise<void> {
  await tx.execute(sql`
    update orders set ${BILL.set(order)}
     where business_id = ${tx.businessId} and id = ${order.id}`)
}

export interface NotedRefund {
  readonly orderId: string
  readonly amount: Money
}

const notedRefunds = rowsAs<NotedRefund>('n', {
  order_id: ['text', (n) => n.orderId],
  amount: ['numeric', (n) => n.amount.minor.toString()],
})

/** Records that credit notes cover refunds of orders that this transaction has locked. Each order comes once. */
export async function addNotedRefunds(tx: Tx, noted: readonly NotedRefund[]): Promise<void> {
  if (noted.length === 0) return
  await tx.execute(sql`
    update orders o set noted_refunds_minor = coalesce(o.noted_refunds_minor, 0) + n.amount
      from ${notedRefunds(noted)}
     where o.business_id = ${tx.businessId} and o.id = n.order_id`)
}

export interface OrderWithTransactions {
  readonly order: Order
  readonly transactions: readonly Transaction[]
}

/** `t_id` is null of an order without transactions. */
interface JoinedRow extends ClockRow {
  readonly id: string
  readonly t_id: string | null
}

/**
 * Reads orders, their transactions and the business's clock in one statement, and so at one moment. The clock decides what is
 * settled. `offset 0` makes the planner look up transactions order by order. Without it, a plan made while the tables were small
 * read all of the business's transactions, which took 0.3 s for one order of 2,500. `nulls last` matches no index, like
 * `nulls first` in `lockOrders`.
 */
function selectJoined(businessId: string, from: Sql): Sql {
  return sql`
    select ${ORDERS.columns}, ${TRANSACTIONS.columns}, c.frozen_at, c.offset_ms
      from ${from}
      join business_clocks c on c.business_id = ${businessId}
      left join lateral (
           select * from transactions t
            where t.business_id = ${businessId} and t.order_id = o.id
           offset 0) t on true
     order by o.created_at desc nulls last, o.id desc, t.created_at, t.receipt_number`
}

export interface ReadOrder extends OrderWithTransactions {
  readonly now: Instant
}

export async function readOrders(
  db: Database,
  businessId: string,
  selector: OrderSelector,
): Promise<ReadOrder[]> {
  const from = sql`(select * from orders o where o.business_id = ${businessId} and ${selector}) o`
  return group(await db.read<JoinedRow>(businessId, selectJoined(businessId, from)))
}

export async function listOrders(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<ReadOrder[]> {
  const rows = await readFiltered<JoinedRow>(db, businessId, filter, (condition) =>
    selectJoined(
      businessId,
      sql`(
      select * from orders o
       where o.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`o.created_at`, sql`o.id`)}) o`,
    ),
  )
  return group(rows)
}

export async function findOrders(tx: Tx, selector: OrderSelector): Promise<OrderWithTransactions[]> {
  const from = sql`(select * from orders o where o.business_id = ${tx.businessId} and ${selector}) o`
  return group(await tx.query<JoinedRow>(selectJoined(tx.businessId, from)))
}

export async function findOrdersById(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, OrderWithTransactions>> {
  const found = await findOrders(tx, byIds(ids))
  return new Map(found.map((read) => [read.order.id, read]))
}

/** The bound of reference/billing-transfers#suggestions. */
const NEWEST_OF_AMOUNT = 200

/** Open orders among the newest of each total. */
export async function findOpenOrdersOfTotals(tx: Tx, totals: readonly Money[]): Promise<string[]> {
  const keys = new Set(totals.flatMap((total) => amountKey(total.toString())?.toString() ?? []))
  const rows = await tx.query<{ id: string }>(sql`
    select newest.id
      from ${givenIds([...keys])}
     cross join lateral (
           select o.id, o.state from orders o
            where o.business_id = ${tx.businessId} and o.amount_key = given.id::bigint
            order by o.created_at desc, o.id desc limit ${NEWEST_OF_AMOUNT}) newest
     where newest.state = 'open'`)
  return rows.map(({ id }) => id)
}

interface InvoiceOfOrder {
  readonly orderId: string
  readonly invoice: OrderInvoice
}

const invoicesOfOrders = rowsAs<InvoiceOfOrder>('c', {
  order_id: ['text', (o) => o.orderId],
  invoice_id: ['text', (o) => o.invoice.id],
  invoice_number: ['text', (o) => o.invoice.number],
})

/** Names the invoices of orders that were made before them. The caller has locked the orders. */
export async function assignInvoices(tx: Tx, orders: readonly InvoiceOfOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update orders o set invoice_id = c.invoice_id, invoice_number = c.invoice_number
      from ${invoicesOfOrders(orders)}
     where o.business_id = ${tx.businessId} and o.id = c.order_id`)
}

export async function takenReferences(tx: Tx, references: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ reference_number: string }>(sql`
    select reference_number from orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`reference_number`, references)}`)
  return new Set(rows.map((row) => row.reference_number))
}

export interface OrderOfPlan {
  readonly id: string
  readonly reference: string
  readonly createdAt: Instant
}

export async function findOrdersOfPlan(
  tx: Tx,
  planId: string,
  references: readonly string[],
): Promise<OrderOfPlan[]> {
  const rows = await tx.query<{ id: string; reference_number: string; created_at: Instant }>(sql`
    select id, reference_number, created_at from orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`reference_number`, references)} and plan_id = ${planId}`)
  return rows.map(({ id, reference_number: reference, created_at: createdAt }) => ({
    id,
    reference,
    createdAt,
  }))
}

/** The newest orders that a customer had by then, newest first. */
export async function findOrderIdsOfCustomer(
  tx: Tx,
  customerUuid: string,
  { until, limit }: { readonly until: Instant | undefined; readonly limit: number },
): Promise<string[]> {
  const at = until === undefined ? 'infinity' : toRfc3339(until)
  const rows = await tx.query<{ id: string }>(sql`
    select id from orders
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and created_at <= ${at}::timestamptz
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** What a customer has paid, less what went back. */
export interface Spend {
  readonly orders: number
  readonly paid: Money
}

export async function findSpend(tx: Tx, customerUuid: string): Promise<Spend[]> {
  const rows = await tx.query<{ currency: Currency; orders: number; paid: bigint }>(sql`
    select currency, count(*)::integer as orders, sum(paid_total_minor) as paid from orders
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and paid_total_minor <> 0
     group by currency order by paid desc, currency`)
  return rows.map(({ currency, orders, paid }) => ({ orders, paid: Money.ofMinor(currency, paid) }))
}

export function earliestOrderTime(tx: Tx, column: 'expires_at' | 'void_due_at'): Promise<Instant | null> {
  return earliestTime(tx, sql`orders`, column === 'expires_at' ? sql`expires_at` : sql`void_due_at`)
}

export async function findOrdersWithoutRate(
  tx: Tx,
  since: Instant,
  limit: number,
): Promise<{ readonly id: string; readonly created_at: Instant }[]> {
  return tx.query(sql`
    select o.id, o.created_at from orders o
     where o.business_id = ${tx.businessId} and (o.tax ->> 'no_rate') is not null and o.created_at > ${toRfc3339(since)}
     order by o.created_at limit ${limit}`)
}

function group(rows: readonly JoinedRow[]): ReadOrder[] {
  const orders: ReadOrder[] = []
  let transactions: Transaction[] = []
  for (const row of rows) {
    if (orders.at(-1)?.order.id !== row.id) {
      transactions = []
      orders.push({ order: ORDERS.read(row), transactions, now: timeOn(row) })
    }
    if (row.t_id !== null) transactions.push(TRANSACTIONS.read(row))
  }
  return orders
}
