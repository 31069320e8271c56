import { type Json, parseJson } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import { paymentErrors, type Transaction } from '#modules/payments'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { addAmounts, type Amounts, type BulkAction, type CallerWith } from '../bulk-action.ts'
import type { BulkActionsDependencies } from '../dependencies.ts'
import { refusalOf } from './refusal.ts'

const MAX_SENDINGS = 3

const NONE: Amounts = new Map()

export async function performOnPayments(
  deps: BulkActionsDependencies,
  action: BulkAction,
  id: string,
  callerWith: CallerWith,
): Promise<Amounts> {
  const { payments } = deps
  const note = action.options.note === undefined ? {} : { note: action.options.note }
  if (action.action === 'void') {
    const voidOnce = (...parts: string[]) =>
      isOrder(id)
        ? payments.voidOrder(callerWith(...parts), { number: id })
        : payments.voidTransaction(callerWith(...parts), { transaction: { uuid: id }, ...note })
    return voidedBy(await untilProcessed(voidOnce))
  }
  const refund = async (uuid: string) => {
    const refundOnce = (...parts: string[]) =>
      payments.refund(callerWith(uuid, ...parts), { transaction: { uuid }, ...note })
    return refundedBy(await untilProcessed(refundOnce))
  }
  return isOrder(id) ? ofEachPayment(deps, action, id, refund) : refund(id)
}

export async function previewOnPayments(
  deps: BulkActionsDependencies,
  action: BulkAction,
  id: string,
): Promise<Amounts> {
  const { payments } = deps
  const { caller } = action
  if (action.action === 'void') {
    return amountOf(
      isOrder(id)
        ? await payments.previewVoidOrder(caller, id)
        : await payments.previewVoidTransaction(caller, { transaction: { uuid: id } }),
    )
  }
  const refund = async (uuid: string) =>
    amountOf(await payments.previewRefund(caller, { transaction: { uuid } }))
  return isOrder(id) ? ofEachPayment(deps, action, id, refund) : refund(id)
}

function isOrder(id: string): boolean {
  return id.startsWith('ord_')
}

/** Refunds every payment of an order. Payments that were refunded before are left out, unless it is all of them. */
async function ofEachPayment(
  { db, payments }: BulkActionsDependencies,
  { caller: { businessId } }: BulkAction,
  id: string,
  refund: (uuid: string) => Promise<Amounts>,
): Promise<Amounts> {
  const found = await db.transact(businessId, async (tx) => (await payments.findOrders(tx, [id])).get(id), {
    isSnapshot: true,
  })
  if (found === undefined) throw paymentErrors.order_not_found()
  const paid = found.transactions.filter(isPayment)
  if (paid.length === 0) throw paymentErrors.transaction_not_refundable()
  let refunded = NONE
  let refusal: unknown
  for (const { id: uuid } of paid) {
    try {
      refunded = addAmounts(refunded, await refund(uuid))
    } catch (error) {
      if (!isRefundedAlready(error)) throw error
      refusal = error
    }
  }
  if (refunded.size === 0) throw refusal
  return refunded
}

function isPayment({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'nothing_left_to_refund'
}

/** Sends an operation again, under another key, if it never reached the acquirer, for example because our process died. */
async function untilProcessed(send: (...parts: string[]) => Promise<object>): Promise<Json> {
  for (let sending = 1; ; sending++) {
    try {
      return await replyOf(sending === 1 ? send() : send(String(sending)))
    } catch (error) {
      if (sending === MAX_SENDINGS || refusalOf(error).reason !== 'not_processed') throw error
    }
  }
}

/** The data of the reply. A stored success is that of an earlier try of the same item. */
async function replyOf(reply: Promise<object>): Promise<Json> {
  try {
    return parseJson(JSON.stringify(await reply))
  } catch (error) {
    if (!(error instanceof StoredReply) || error.status !== 200) throw error
    const envelope = parseJson(error.body) as unknown as { readonly data: Json }
    return envelope.data
  }
}

interface ShownTransaction {
  readonly type: Transaction['type']
  readonly uuid: string
  readonly currency: string
  readonly amount: number
  readonly original_transaction_uuid: string | null
  readonly void_is_pending: boolean
  readonly payment_data: { readonly transaction_state: Transaction['state'] }
}

function refundedBy(data: Json): Amounts {
  const { transaction } = data as unknown as { readonly transaction: ShownTransaction }
  return amountIn(transaction)
}

/** A voided capture stands for its authorization, which is voided with it. A void that the acquirer has received counts. */
function voidedBy(data: Json): Amounts {
  const { transaction, transactions, order } = data as unknown as {
    readonly transaction?: ShownTransaction
    readonly transactions?: readonly ShownTransaction[]
    readonly order?: { readonly transactions?: readonly ShownTransaction[] }
  }
  if (transaction !== undefined) return amountIn(transaction)
  const shown = transactions ?? order?.transactions ?? []
  const voided = shown.filter(
    ({ void_is_pending: isPending, payment_data: { transaction_state: state } }) =>
      isPending || state === 'voided',
  )
  const captured = new Set(voided.flatMap(({ original_transaction_uuid: uuid }) => uuid ?? []))
  return voided
    .filter(({ uuid }) => !captured.has(uuid))
    .reduce((sum, one) => addAmounts(sum, amountIn(one)), NONE)
}

function amountIn({ currency, amount }: ShownTransaction): Amounts {
  const money = parseMoney(currency, amount)
  return money instanceof Money ? amountOf(money.abs()) : NONE
}

function amountOf(money: Money): Amounts {
  return new Map([[money.currency, money.minor]])
}
