import type { Static } from 'typebox'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { Money } from '#kernel/money'
import type { OrderTax } from '#modules/taxes'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import {
  amountDue,
  type BilledLine,
  correspondenceState,
  isPayable,
  type LineItem,
  lineTotal,
  type Order,
  subtotal,
  unpaidTotal,
} from '../model/order.ts'
import { isRefundable } from '../follow-ups/decide-refund.ts'
import { isUnresolved } from '../model/transaction.states.ts'
import {
  declineCodeOf,
  FAILED_LATER,
  isSuccessful,
  type PayerAction,
  refundedTotal,
  type Transaction,
  usedOf,
} from '../model/transaction.ts'
import type { OrderWithLinks } from '../links/order-links.ts'
import type { ReadOrder } from '../storage/order-read.repository.ts'
import type { Spend } from '../storage/order-lookup.repository.ts'
import type { ListedTransaction } from '../storage/transaction-list.repository.ts'
import { decideVoidOrder } from '../voids/decide-void-order.ts'
import { decideVoidTransaction } from '../follow-ups/decide-void-transaction.ts'
import type {
  BilledLineMembers,
  LineItemSchema,
  NextActionSchema,
  ListedTransactionSchema,
  OrderInEvent,
  OrdersData,
  OrderSchema,
  OrderTaxSchema,
  OrderWithLinksData,
  SpendData,
  TransactionsData,
  TransactionSchema,
} from './schemas.ts'

const TRANSACTIONS_URL = '/svc/payment/api/v1/openapi/orders/check'

type OrderJson = Static<typeof OrderSchema>
type TransactionJson = Static<typeof TransactionSchema>

export function renderOrder(order: Order, transactions: readonly Transaction[], now: Instant): OrderJson {
  return {
    ...renderOrderMembers(order, transactions, now),
    transactions: renderTransactions(transactions, transactions, now),
  }
}

export function renderTruncatedOrder(
  order: Order,
  transactions: readonly Transaction[],
  shown: readonly Transaction[],
  now: Instant,
): Static<typeof OrderInEvent> {
  return {
    ...renderOrderMembers(order, transactions, now),
    transactions: renderTransactions(shown, transactions, now),
    transactions_truncated: true,
    transactions_url: TRANSACTIONS_URL,
  }
}

export function renderTransaction(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): TransactionJson {
  const followUps = transactions.filter(({ originalId }) => originalId === transaction.id)
  const original = transactions.find(({ id }) => id === transaction.originalId)
  return renderTransactionWith({ transaction, followUps, original }, now)
}

export function renderOrderWithLinks({
  order,
  transactions,
  now,
  paymentLink,
  downloadLink,
}: OrderWithLinks): Static<typeof OrderWithLinksData> {
  return {
    order: renderOrder(order, transactions, now),
    ...(paymentLink !== undefined && { payment_link: paymentLink }),
    ...(downloadLink !== undefined && { download_link: downloadLink }),
  }
}

export function renderOrdersPage(
  request: PageRequest,
  found: readonly ReadOrder[],
): Static<typeof OrdersData> {
  const { rows, page } = renderPage(
    request,
    found,
    ({ order }) => ({ at: order.createdAt, id: order.id }),
    ({ order, transactions, now }) => renderOrder(order, transactions, now),
  )
  return { orders: rows, page }
}

export function renderTransactionsPage(
  request: PageRequest,
  found: readonly ListedTransaction[],
): Static<typeof TransactionsData> {
  const keyOf = ({ transaction: { createdAt, id } }: ListedTransaction) => ({ at: createdAt, id })
  const { rows, page } = renderPage(request, found, keyOf, renderListedTransaction)
  return { transactions: rows, page }
}

function renderListedTransaction({
  transaction,
  transactions,
  customerUuid,
  at,
}: ListedTransaction): Static<typeof ListedTransactionSchema> {
  const declineCode = transaction.state === 'failed' ? declineCodeOf(transaction.answer) : null
  return {
    ...renderTransaction(transaction, transactions, at),
    order_number: transaction.orderId,
    ...(customerUuid !== null && { customer_uuid: customerUuid }),
    acquirer_account_id: transaction.acquirerAccountId,
    ...(declineCode !== null && { decline_code: declineCode }),
  }
}

function renderOrderMembers(
  order: Order,
  transactions: readonly Transaction[],
  now: Instant,
): Omit<OrderJson, 'transactions'> {
  return {
    source: order.source,
    type: order.type,
    number: order.id,
    reference_number: order.referenceNumber,
    due_date: order.dueDate,
    initial_total: order.initialTotal,
    initial_tips: order.initialTips,
    subtotal: subtotal(order),
    paid_total: order.paidTotal.toString(),
    unpaid_total: unpaidTotal(order).toString(),
    refunded_total: refundedTotal(order.currency, transactions).toString(),
    allow_void: mayVoidOrder(order, transactions, now),
    amount_due: amountDue(order, isPayable(order, now)).toString(),
    state: order.state,
    correspondence_state: correspondenceState(order),
    currency: order.currency,
    ...(order.returnUrl !== null && { return_url: order.returnUrl }),
    ...(order.notifyUrl !== null && { notify_url: order.notifyUrl }),
    ...(order.customerUuid !== null && { customer_uuid: order.customerUuid }),
    ...(order.planId !== null && { plan_id: order.planId }),
    ...((order.planId !== null || order.invoice !== null) && {
      billing: {
        ...(order.planId !== null && { kind: order.billingKind }),
        tax: renderTax(order.tax),
        credited_total: order.creditedTotal,
        ...(!order.writtenOff.isZero() && { written_off: order.writtenOff }),
        ...(!order.movedToCredit.isZero() && { moved_to_credit: order.movedToCredit }),
        ...(order.invoice !== null && {
          invoice_id: order.invoice.id,
          invoice_number: order.invoice.number,
        }),
      },
    }),
    ...(order.planMetadata !== null && { plan_metadata: order.planMetadata }),
    ...(order.metadata !== null && { metadata: order.metadata }),
    ...(order.timeout !== null && { timeout: renderTimeout(order.timeout) }),
    created_at: toRfc3339(order.createdAt),
    updated_at: toRfc3339(order.updatedAt),
    line_items: order.lineItems === null ? null : order.lineItems.map(renderLineItem),
  }
}

export function renderTax(tax: OrderTax | null): Static<typeof OrderTaxSchema> | null {
  if (tax === null) return null
  const groups = tax.groups.map(({ name, percentage, treatment, base, amount }) => ({
    name,
    percentage: rawNumber(decimalToString(percentage)),
    treatment,
    base,
    amount,
  }))
  return { behavior: tax.behavior, total: tax.total, groups }
}

function mayVoidOrder(order: Order, transactions: readonly Transaction[], now: Instant): boolean {
  const decision = decideVoidOrder(order, transactions, order.voiding?.mode ?? 'merchant', now)
  return !('refused' in decision) && decision.kind !== 'voided'
}

function renderTimeout(timeout: { readonly timer: string; readonly url: string | null }): {
  timer: string
  url?: string
} {
  return { timer: timeout.timer, ...(timeout.url !== null && { url: timeout.url }) }
}

function renderLineItem(line: LineItem): Static<typeof LineItemSchema> {
  return {
    uuid: line.uuid,
    purchasable_type: line.purchasableType,
    ...(line.purchaseId !== null && { purchase_id: line.purchaseId }),
    price: line.price,
    quantity: line.quantity,
    total: lineTotal(line),
    ...(line.label !== null && { label: line.label }),
    ...renderBilledLine(line.billed),
  }
}

export function renderBilledLine(billed: BilledLine | undefined): Static<typeof BilledLineMembers> {
  if (billed === undefined) return {}
  const { kind, period, recurringItemId, units } = billed
  return {
    kind,
    ...(period !== undefined && { period }),
    ...(recurringItemId !== undefined && { recurring_item_id: recurringItemId }),
    ...(units !== undefined && { units }),
  }
}

function renderTransactions(
  shown: readonly Transaction[],
  transactions: readonly Transaction[],
  now: Instant,
): TransactionJson[] {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  const byOriginal = Map.groupBy(transactions, ({ originalId }) => originalId)
  return shown.map((transaction) =>
    renderTransactionWith(
      {
        transaction,
        followUps: byOriginal.get(transaction.id) ?? [],
        original: byId.get(transaction.originalId ?? ''),
      },
      now,
    ),
  )
}

interface RelatedTransactions {
  readonly transaction: Transaction
  readonly followUps: readonly Transaction[]
  readonly original: Transaction | undefined
}

function renderTransactionWith(
  { transaction, followUps, original }: RelatedTransactions,
  now: Instant,
): TransactionJson {
  const { originalId, referenceId } = transaction
  const { voidFailure } = transaction.answer
  const used = usedOf(transaction, followUps)
  return {
    type: transaction.type,
    uuid: transaction.id,
    currency: transaction.currency,
    amount: transaction.amount,
    success: isSuccessful(transaction),
    is_pending: isUnresolved(transaction.state),
    captured: transaction.type === 'Authorization' && used.done.isPositive(),
    allow_void: decideVoidTransaction(transaction, followUps, now) === null,
    allow_refund: isRefundable(transaction, used),
    void_is_pending: transaction.voidPending,
    ...(voidFailure !== undefined && {
      void_failure: { resp_code: voidFailure.responseCode, resp_msg: voidFailure.responseMessage },
    }),
    payment_method: transaction.paymentMethod,
    note: transaction.note,
    payment_data: renderPaymentData(transaction),
    value_date: transaction.valueDate,
    ...(transaction.returnedOn !== null && { returned_on: transaction.returnedOn }),
    original_transaction_uuid: originalId,
    ...(referenceId !== null && { reference_id: referenceId }),
    ...(original !== undefined &&
      original.referenceId !== null && { original_transaction_reference_id: original.referenceId }),
    ...(transaction.nextAction !== null && { next_action: renderNextAction(transaction.nextAction) }),
    created_at: toRfc3339(transaction.createdAt),
  }
}

export function renderNextAction({
  type,
  url,
  page,
  qrCode,
  expiresAt,
}: PayerAction): Static<typeof NextActionSchema> {
  return {
    type,
    url: page ?? url,
    ...(qrCode !== undefined && { qr_code: qrCode }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}

function acquirerNameOf({ acquirerName, instrument: { wallet } }: Transaction): string {
  return wallet === undefined ? acquirerName : `${acquirerName} (${wallet})`
}

function renderPaymentData(transaction: Transaction): TransactionJson['payment_data'] {
  const { answer, instrument } = transaction
  return {
    acquirer_name: acquirerNameOf(transaction),
    ...(instrument.wallet !== undefined && { wallet: instrument.wallet }),
    acquirer_type: instrument.acquirerType,
    brn: answer.batchNumber,
    new_gateway_txn_id: answer.gatewayTransactionId,
    payment_method: transaction.paymentMethod,
    receipt_id: transaction.receiptNumber.toString(),
    transaction_state: transaction.state,
    ...(transaction.merchantId !== '' && { merchant_id: transaction.merchantId }),
    ...(transaction.paymentMethod === 'payment_token' && { token: transaction.token ?? '' }),
    ...(answer.authCode !== '' && { auth_code: answer.authCode }),
    ...(answer.rrn !== '' && { rrn: answer.rrn }),
    ...(answer.fee !== undefined && { fee: Money.ofMinor(transaction.currency, BigInt(answer.fee)) }),
    ...(answer.declineCode === FAILED_LATER && { failed_later: true }),
    ...(answer.responseCode !== '' && { resp_code: answer.responseCode }),
    ...(answer.responseMessage !== '' && { resp_msg: answer.responseMessage }),
    ...(instrument.brand !== null && { credit_card_type: instrument.brand }),
    ...(instrument.first6 !== null && { first_6_digits: instrument.first6 }),
    ...(instrument.last4 !== null && { last_4_digits: instrument.last4 }),
    ...(instrument.numberLength !== null && { card_number_len: instrument.numberLength }),
    ...(instrument.holderName !== null && { holder_name: instrument.holderName }),
    ...(instrument.expMonth !== null && { exp_month: String(instrument.expMonth).padStart(2, '0') }),
    ...(instrument.expYear !== null && { exp_year: String(instrument.expYear) }),
  }
}

export function renderSpend(found: readonly Spend[]): Static<typeof SpendData> {
  return {
    spend: found.map(({ orders, paid }) => ({
      currency: paid.currency,
      orders,
      paid_total: paid.toString(),
    })),
  }
}
