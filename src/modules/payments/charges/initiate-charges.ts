import { earliestOf, timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Acquirer } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import type { Environment } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { beginOperation } from './initiate-operation.ts'
import type { InitiatedCharge, Charge, NewCharge } from './charge.ts'
import type { PaymentsContext } from '../context.ts'
import { decidePayment } from './decide-payment.ts'
import { PAYMENT_OPERATIONS } from '../job-kinds.ts'
import type { Operation } from '../model/operation.ts'
import { saveOperations } from '../storage/operation.repository.ts'
import { lockOrders, updateOrders } from '../storage/order.repository.ts'
import type { Order } from '../model/order.ts'
import { paymentLink } from '../orders/order-links.ts'
import { insertTransactions } from '../storage/transaction.repository.ts'
import {
  BEGUN,
  type PaymentMethodName,
  type ShownInstrument,
  type Transaction,
} from '../model/transaction.ts'
import { byIds } from '../storage/order-selector.ts'

/**
 * Locks the orders in the order of their ids, reserves the amounts and writes `initiated` transactions.
 * @param made orders that this transaction made, with what is to be charged reserved or not: nobody else sees them yet, so
 *   they are neither locked nor read
 */
export async function beginCharges(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly NewCharge[],
  made: readonly Order[],
): Promise<InitiatedCharge[]> {
  if (charges.length === 0) return []
  const own = new Set(made.map((order) => order.id))
  const others = new Set(charges.map((charge) => charge.orderId).filter((id) => !own.has(id)))
  const locked = others.size === 0 ? [] : await lockOrders(tx, byIds([...others]))
  const { begun } = await beginLockedCharges(ctx, tx, locked, charges, made)
  return begun
}

/** A charge whose rows are on their way to the database. */
type Reserved =
  | { readonly ok: true; readonly charge: Omit<Charge, 'begun'>; readonly operation: Operation }
  | Extract<InitiatedCharge, { ok: false }>

export interface LockedCharges {
  readonly reserved: readonly Reserved[]
  /** The same with what the database adds. Who needs it after the commit only need not wait for it before. */
  readonly begun: Promise<InitiatedCharge[]>
}

/** As `beginCharges`, of orders that the caller has locked. Everything is left to the end of the transaction. */
export async function beginLockedCharges(
  ctx: PaymentsContext,
  tx: Tx,
  locked: readonly Order[],
  charges: readonly NewCharge[],
  made: readonly Order[] = [],
): Promise<LockedCharges> {
  const { businessId } = tx
  const { environment } = await ctx.businesses.profile(businessId)
  const acquirer = ctx.acquirers.forBusiness({ environment })
  const stored = [...made, ...locked]
  const orders = new Map([...made.map(unreserved), ...locked].map((order) => [order.id, order]))
  const reserved = charges.map((charge) => begin(ctx, businessId, orders, charge, environment, acquirer))
  const good = reserved.flatMap((one) => (one.ok ? [one] : []))
  if (good.length === 0) return { reserved, begun: written(reserved, orders, [], '') }
  const operations = good.map((one) => one.operation)
  const changed = stored.flatMap(({ id, reservedTotal }) => {
    const order = orders.get(id)
    return order === undefined || order.reservedTotal.equals(reservedTotal) ? [] : [order]
  })
  const dueAt = earliestOf(operations.map((operation) => operation.dueAt)) ?? tx.now
  const transactions = await ctx.receipts.number(
    businessId,
    good.map((one) => one.charge.transaction),
  )
  const begun = written(reserved, orders, transactions, insertTransactions(tx, transactions))
  tx.defer(begun)
  if (changed.length > 0) tx.defer(updateOrders(tx, changed))
  tx.defer(saveOperations(tx, operations))
  tx.defer(scheduleJob(tx, PAYMENT_OPERATIONS, dueAt))
  return { reserved, begun }
}

/** Completes charges by their rows, each with its order as all of them together leave it. */
async function written(
  reserved: readonly Reserved[],
  orders: ReadonlyMap<string, Order>,
  numbered: readonly Transaction[],
  inserted: string | Promise<string>,
): Promise<InitiatedCharge[]> {
  const transactions = new Map(numbered.map((transaction) => [transaction.id, transaction]))
  const writer = await inserted
  return reserved.map((one): InitiatedCharge => {
    if (!one.ok) return one
    const { charge, operation } = one
    const order = orders.get(charge.transaction.orderId)
    const transaction = transactions.get(charge.transaction.id)
    if (order === undefined || transaction === undefined) throw new Error(`charge ${operation.key} was lost`)
    return { ok: true, charge: { ...charge, transaction, begun: { order, operation, writer } } }
  })
}

/** What is reserved of an order that is being made is for the charges that are begun now. */
function unreserved(order: Order): Order {
  return { ...order, reservedTotal: Money.zero(order.currency) }
}

/** Reserves one charge on its order in `orders`, so that the next charge of the same order sees it. */
function begin(
  ctx: PaymentsContext,
  businessId: string,
  orders: Map<string, Order>,
  charge: NewCharge,
  environment: Environment,
  acquirer: Acquirer,
): Reserved {
  const { orderId } = charge
  const order = orders.get(orderId)
  if (order === undefined) return { ok: false, reason: 'order_not_found', orderId }
  const at = timeOfChange(order, charge.at)
  const decision = decidePayment(order, charge.amount, at)
  if (!decision.ok) return { ok: false, reason: decision.reason, orderId }
  const reservedTotal = order.reservedTotal.plus(decision.amount)
  orders.set(orderId, { ...order, reservedTotal, updatedAt: at })
  const transaction = newPayment(order, { ...charge, at }, decision.amount, acquirer)
  return {
    ok: true,
    charge: {
      businessId,
      environment,
      transaction,
      token: charge.token,
      direct: charge.direct ?? null,
      payerPresent: charge.payerPresent,
      returnUrl: charge.payerPresent ? paymentLink(ctx.links, businessId, order, at) : null,
      at,
    },
    operation: beginOperation(transaction, { ...charge, at, status: 'sent' }),
  }
}

/** A payment as it is written before anybody is asked. */
export function newPayment(
  order: Order,
  charge: Pick<NewCharge, 'type' | 'token' | 'direct' | 'referenceId' | 'note' | 'at'>,
  amount: Money,
  acquirer: Pick<Acquirer, 'name' | 'merchantId'>,
): Transaction {
  const { token, direct, at } = charge
  return {
    id: newId('txn'),
    orderId: order.id,
    ...BEGUN,
    type: charge.type,
    currency: order.currency,
    amount,
    referenceId: charge.referenceId ?? null,
    originalId: null,
    paymentMethod: token === null ? methodOf(direct) : 'payment_token',
    token: token?.token ?? null,
    instrument: token === null ? (direct?.shown ?? NO_INSTRUMENT) : shownToken(token),
    note: charge.note ?? null,
    acquirerName: acquirer.name,
    merchantId: acquirer.merchantId,
    createdAt: at,
    updatedAt: at,
  }
}

/** What is known of an instrument where there is none. */
const NO_INSTRUMENT: ShownInstrument = {
  acquirerType: 'card',
  brand: null,
  first6: null,
  last4: null,
  numberLength: null,
  holderName: null,
  expMonth: null,
  expYear: null,
}

function shownToken(token: PaymentToken): ShownInstrument {
  return {
    acquirerType: token.tokenType === 'CreditCard' ? 'card' : 'wallet',
    brand: token.brand,
    first6: token.first6,
    last4: token.last4,
    numberLength: token.numberLength,
    holderName: token.holderName,
    expMonth: token.expMonth,
    expYear: token.expYear,
  }
}

function methodOf(direct: NewCharge['direct']): PaymentMethodName {
  const type = direct?.instrument.type
  return type === undefined ? 'payment_token' : type === 'card' ? 'credit_card' : type
}
