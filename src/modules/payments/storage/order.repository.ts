import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull } from '#kernel/clock'
import { Money } from '#kernel/money'
import { lockedUntilOf, readOrderTax, storedOrderTax } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { rowsAs } from '#platform/postgres/rows'
import { amount, composed, json, table } from '#platform/postgres/table'
import type { BillingKind, Order, OrderInvoice, Voiding } from '../model/order.ts'
import { readLines, storedLines } from '../model/stored-lines.ts'
import type { OrderSelector } from './order-selector.ts'

export const ORDERS = table<Order>('o', {
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
  creditReturned: rareAmount('credit_returned_minor'),
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
  'creditReturned',
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
  'creditReturned',
)
const CHANGED = CHANGED_WITH_MORE.without('writtenOff', 'movedToCredit', 'notedRefunds', 'creditReturned')

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
  const { writtenOff, movedToCredit, notedRefunds, creditReturned } = order
  return [writtenOff, movedToCredit, notedRefunds, creditReturned].some((money) => !money.isZero())
}

interface ChangedOrder {
  readonly before: Order | null
  readonly order: Order
}

/** Leaves out the four amounts that most orders never have. */
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

export function earliestOrderTime(tx: Tx, column: 'expires_at' | 'void_due_at'): Promise<Instant | null> {
  return earliestTime(tx, sql`orders`, column === 'expires_at' ? sql`expires_at` : sql`void_due_at`)
}
