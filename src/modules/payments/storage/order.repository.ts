import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { readOrderTax, storedOrderTax } from '#modules/taxes'
import { amountKey } from '#platform/filter/minor-units'
import { type ClockRow, timeOn } from '#platform/postgres/tenant-session'
import { readFiltered } from '#platform/filter/read-filtered'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { type Columns, givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { BillingKind, Order, OrderInvoice, OrderSource, OrderType, Voiding } from '../model/order.ts'
import type { OrderState } from '../model/order.states.ts'
import { readLines, storedLines } from '../model/stored-lines.ts'
import { byIds, type OrderSelector } from './order-selector.ts'
import { toTransaction, TRANSACTION_COLUMNS, type TransactionRow } from './transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'

interface OrderRow {
  id: string
  source: OrderSource
  type: OrderType
  reference_number: string
  currency: string
  due_date: string | null
  initial_total_minor: bigint
  initial_tips_minor: bigint
  paid_total_minor: bigint
  reserved_minor: bigint
  credited_minor: bigint
  written_off_minor: bigint | null
  moved_to_credit_minor: bigint | null
  noted_refunds_minor: bigint | null
  state: OrderState
  customer_uuid: string | null
  plan_id: string | null
  billing_kind: BillingKind | null
  invoice_id: string | null
  invoice_number: string | null
  tax: string | null
  return_url: string | null
  notify_url: string | null
  timeout_timer: string | null
  timeout_seconds: number | null
  timeout_url: string | null
  expires_at: Instant | null
  line_items: string | null
  metadata: string | null
  plan_metadata: string | null
  void_mode: Voiding['mode'] | null
  void_idempotency_id: string | null
  void_request_id: string | null
  void_due_at: Instant | null
  void_inquiries: number
  created_at: Instant
  updated_at: Instant
}

const ORDER_COLUMNS = sql`o.id, o.source, o.type, o.reference_number, o.currency, o.due_date, o.initial_total_minor,
  o.initial_tips_minor, o.paid_total_minor, o.reserved_minor, o.credited_minor, o.written_off_minor, o.moved_to_credit_minor, o.noted_refunds_minor, o.state, o.customer_uuid, o.plan_id, o.billing_kind, o.invoice_id, o.invoice_number, o.tax, o.return_url, o.notify_url,
  o.timeout_timer, o.timeout_seconds, o.timeout_url, o.expires_at, o.line_items, o.metadata, o.plan_metadata, o.void_mode, o.void_idempotency_id,
  o.void_request_id, o.void_due_at, o.void_inquiries, o.created_at, o.updated_at`

/**
 * Locks orders in the order of their ids, so that no two transactions wait for each other. `nulls first` matches no index.
 * With an index in this order, the planner would read all orders of a business to find one by its reference.
 */
export async function lockOrders(tx: Tx, selector: OrderSelector): Promise<Order[]> {
  const rows = await tx.query<OrderRow>(sql`
    select ${ORDER_COLUMNS} from orders o
     where o.business_id = ${tx.businessId} and ${selector}
     order by o.id nulls first
       for update`)
  return rows.map(toOrder)
}

export async function lockDueOrders(
  tx: Tx,
  selector: OrderSelector,
  earliest: Sql,
  limit: number,
): Promise<Order[]> {
  const rows = await tx.query<OrderRow>(sql`
    select ${ORDER_COLUMNS} from orders o
     where o.business_id = ${tx.businessId} and ${selector}
     order by ${earliest}, o.id
     limit ${limit}
       for update skip locked`)
  return rows.map(toOrder)
}

const newOrderColumns: Columns<Order> = {
  id: ['text', (o) => o.id],
  source: ['text', (o) => o.source],
  type: ['text', (o) => o.type],
  reference_number: ['text', (o) => o.referenceNumber],
  currency: ['text', (o) => o.currency],
  due_date: ['date', (o) => o.dueDate],
  initial_total_minor: ['numeric', (o) => o.initialTotal.minor.toString()],
  initial_tips_minor: ['numeric', (o) => o.initialTips.minor.toString()],
  reserved_minor: ['numeric', (o) => o.reservedTotal.minor.toString()],
  state: ['text', (o) => o.state],
  customer_uuid: ['text', (o) => o.customerUuid],
  plan_id: ['text', (o) => o.planId],
  return_url: ['text', (o) => o.returnUrl],
  notify_url: ['text', (o) => o.notifyUrl],
  timeout_timer: ['text', (o) => o.timeout?.timer ?? null],
  timeout_seconds: ['integer', (o) => o.timeout?.seconds ?? null],
  timeout_url: ['text', (o) => o.timeout?.url ?? null],
  expires_at: ['timestamptz', (o) => rfc3339OrNull(o.expiresAt)],
  line_items: ['json', (o) => storedLines(o.lineItems)],
  created_at: ['timestamptz', (o) => toRfc3339(o.createdAt)],
}
const newOrders = rowsAs<Order>('n', newOrderColumns)
const newOrdersWithMore = rowsAs<Order>('n', {
  ...newOrderColumns,
  metadata: ['json', (o) => storedMetadata(o.metadata)],
  plan_metadata: ['json', (o) => storedMetadata(o.planMetadata)],
  billing_kind: ['text', (o) => (o.billingKind === 'period' ? null : o.billingKind)],
  invoice_id: ['text', (o) => o.invoice?.id ?? null],
  invoice_number: ['text', (o) => o.invoice?.number ?? null],
  tax: ['json', ({ tax }) => (tax === null ? null : storedOrderTax(tax))],
})

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
    insert into orders (business_id, id, source, type, reference_number, currency, due_date, initial_total_minor,
                        initial_tips_minor, reserved_minor, state, customer_uuid, plan_id, return_url, notify_url,
                        timeout_timer, timeout_seconds, timeout_url, expires_at, line_items, created_at, updated_at${hasMore ? sql`, metadata, plan_metadata, billing_kind, invoice_id, invoice_number, tax` : empty})
    select ${tx.businessId}, n.id, n.source, n.type, n.reference_number, n.currency, n.due_date, n.initial_total_minor,
           n.initial_tips_minor, n.reserved_minor, n.state, n.customer_uuid, n.plan_id, n.return_url, n.notify_url,
           n.timeout_timer, n.timeout_seconds, n.timeout_url, n.expires_at, n.line_items, n.created_at, n.created_at${hasMore ? sql`, n.metadata, n.plan_metadata, n.billing_kind, n.invoice_id, n.invoice_number, n.tax` : empty}
      from ${hasMore ? newOrdersWithMore(orders) : newOrders(orders)}
    on conflict (business_id, reference_number) do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}

const changedColumns: Columns<Order> = {
  id: ['text', (o) => o.id],
  paid: ['numeric', (o) => o.paidTotal.minor.toString()],
  reserved: ['numeric', (o) => o.reservedTotal.minor.toString()],
  credited: ['numeric', (o) => o.creditedTotal.minor.toString()],
  state: ['text', (o) => o.state],
  expires_at: ['timestamptz', (o) => rfc3339OrNull(o.expiresAt)],
  void_mode: ['text', (o) => o.voiding?.mode ?? null],
  void_idempotency_id: ['text', (o) => o.voiding?.idempotencyId ?? null],
  void_request_id: ['text', (o) => o.voiding?.requestId ?? null],
  void_due_at: ['timestamptz', (o) => rfc3339OrNull(o.voiding?.dueAt)],
  void_inquiries: ['integer', (o) => o.voiding?.inquiries ?? 0],
  updated_at: ['timestamptz', (o) => toRfc3339(o.updatedAt)],
}
const changedOrders = rowsAs<Order>('c', changedColumns)
const changedOrdersWithMore = rowsAs<Order>('c', {
  ...changedColumns,
  written_off: ['numeric', (o) => minorOrNull(o.writtenOff)],
  moved_to_credit: ['numeric', (o) => minorOrNull(o.movedToCredit)],
  noted_refunds: ['numeric', (o) => minorOrNull(o.notedRefunds)],
})

function hasMoreAmounts(order: Order | null): boolean {
  if (order === null) return false
  return [order.writtenOff, order.movedToCredit, order.notedRefunds].some((amount) => !amount.isZero())
}

function minorOrNull(money: Money): string | null {
  return money.isZero() ? null : money.minor.toString()
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
    update orders o
       set paid_total_minor = c.paid, reserved_minor = c.reserved, credited_minor = c.credited, state = c.state, expires_at = c.expires_at,
           void_mode = c.void_mode, void_idempotency_id = c.void_idempotency_id, void_request_id = c.void_request_id,
           void_due_at = c.void_due_at, void_inquiries = c.void_inquiries, updated_at = c.updated_at${hasMore ? sql`, written_off_minor = c.written_off, moved_to_credit_minor = c.moved_to_credit, noted_refunds_minor = c.noted_refunds` : empty}
      from ${hasMore ? changedOrdersWithMore(orders) : changedOrders(orders)}
     where o.business_id = ${tx.businessId} and o.id = c.id`)
}

/** What the order bills, which only a reissue of its invoice changes. */
export async function updateBill(tx: Tx, order: Order): Promise<void> {
  await tx.execute(sql`
    update orders
       set invoice_id = ${order.invoice?.id ?? null}, invoice_number = ${order.invoice?.number ?? null},
           line_items = ${storedLines(order.lineItems)}::json, tax = ${order.tax && storedOrderTax(order.tax)}::json,
           due_date = ${order.dueDate}::date
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

type JoinedRow = OrderRow & ClockRow & { [Column in keyof TransactionRow]: TransactionRow[Column] | null }

/**
 * Reads orders, their transactions and the business's clock in one statement, and so at one moment. The clock decides what is
 * settled. `offset 0` makes the planner look up transactions order by order. Without it, a plan made while the tables were small
 * read all of the business's transactions, which took 0.3 s for one order of 2,500. `nulls last` matches no index, like
 * `nulls first` in `lockOrders`.
 */
function selectJoined(businessId: string, from: Sql): Sql {
  return sql`
    select ${ORDER_COLUMNS}, ${TRANSACTION_COLUMNS}, c.frozen_at, c.offset_ms
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
      orders.push({ order: toOrder(row), transactions, now: timeOn(row) })
    }
    if (isTransactionRow(row)) transactions.push(toTransaction(row))
  }
  return orders
}

function isTransactionRow(row: JoinedRow): row is OrderRow & TransactionRow & JoinedRow {
  return row.t_id !== null
}

function toOrder(row: OrderRow): Order {
  const { currency } = row
  return {
    id: row.id,
    source: row.source,
    type: row.type,
    referenceNumber: row.reference_number,
    currency,
    dueDate: row.due_date,
    initialTotal: Money.ofMinor(currency, row.initial_total_minor),
    initialTips: Money.ofMinor(currency, row.initial_tips_minor),
    paidTotal: Money.ofMinor(currency, row.paid_total_minor),
    reservedTotal: Money.ofMinor(currency, row.reserved_minor),
    creditedTotal: Money.ofMinor(currency, row.credited_minor),
    writtenOff: Money.ofMinor(currency, row.written_off_minor ?? 0n),
    movedToCredit: Money.ofMinor(currency, row.moved_to_credit_minor ?? 0n),
    notedRefunds: Money.ofMinor(currency, row.noted_refunds_minor ?? 0n),
    state: row.state,
    customerUuid: row.customer_uuid,
    planId: row.plan_id,
    billingKind: row.billing_kind ?? 'period',
    invoice:
      row.invoice_id === null || row.invoice_number === null
        ? null
        : { id: row.invoice_id, number: row.invoice_number },
    tax: row.tax === null ? null : readOrderTax(row.tax, currency),
    returnUrl: row.return_url,
    notifyUrl: row.notify_url,
    timeout:
      row.timeout_timer === null || row.timeout_seconds === null
        ? null
        : { timer: row.timeout_timer, seconds: row.timeout_seconds, url: row.timeout_url },
    expiresAt: row.expires_at,
    lineItems: readLines(currency, row.line_items),
    metadata: readMetadata(row.metadata),
    planMetadata: readMetadata(row.plan_metadata),
    voiding:
      row.void_mode === null || row.void_due_at === null
        ? null
        : {
            mode: row.void_mode,
            idempotencyId: row.void_idempotency_id,
            requestId: row.void_request_id,
            dueAt: row.void_due_at,
            inquiries: row.void_inquiries,
          },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
