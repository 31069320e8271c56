import type { Money } from '#kernel/money'
import {
  failureOf,
  type OrderVoidResult,
  paymentErrors,
  type PaymentResult,
  type StoredTransaction,
  type Transaction,
} from '#modules/payments'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { addAmounts, type Amounts, type BulkAction, type CallerWith } from '../model/bulk-action.ts'
import type { BulkActionsDependencies } from '../dependencies.ts'
import { refusalOf } from './refusal.ts'

/** The bound of reference/bulk-actions#run. */
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
        ? payments.voidOrder(callerWith(...parts), id)
        : payments.voidTransaction(callerWith(...parts), { transaction: { uuid: id }, ...note })
    return voidedBy(await untilProcessed(deps, voidOnce))
  }
  const refund = async (uuid: string) => {
    const refundOnce = (...parts: string[]) =>
      payments.refund(callerWith(uuid, ...parts), { transaction: { uuid }, ...note })
    return sumOf(await untilProcessed(deps, refundOnce))
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

/** Refunds every payment of an order. Leaves out payments that were refunded before, unless all of them were. */
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
async function untilProcessed(
  { payments }: BulkActionsDependencies,
  send: (...parts: string[]) => Promise<PaymentResult | OrderVoidResult>,
): Promise<Movement[]> {
  for (let sending = 1; ; sending++) {
    try {
      return await movementsOf(payments, sending === 1 ? send() : send(String(sending)))
    } catch (error) {
      if (sending === MAX_SENDINGS || refusalOf(error).reason !== 'not_processed') throw error
    }
  }
}

interface Movement {
  readonly id: string
  readonly originalId: string | null
  readonly amount: Money
  readonly isVoided: boolean
}

/** The movements that a success shows. A stored success comes from an earlier try of the same item. */
async function movementsOf(
  payments: BulkActionsDependencies['payments'],
  sent: Promise<PaymentResult | OrderVoidResult>,
): Promise<Movement[]> {
  try {
    const result = await sent
    const failure = failureOf(result)
    if (failure !== null) throw failure
    return ('transaction' in result ? [result.transaction] : result.transactions).map(movementOf)
  } catch (error) {
    if (!(error instanceof StoredReply) || error.status !== 200) throw error
    return payments.storedTransactions(error).map(storedMovementOf)
  }
}

function movementOf({ id, originalId, amount, state, voidPending }: Transaction): Movement {
  return { id, originalId, amount, isVoided: voidPending || state === 'voided' }
}

function storedMovementOf(shown: StoredTransaction): Movement {
  return {
    id: shown.uuid,
    originalId: shown.original_transaction_uuid,
    amount: shown.amount,
    isVoided: shown.void_is_pending || shown.payment_data.transaction_state === 'voided',
  }
}

/** Sums what was voided. Of a capture that is voided with its authorization only the capture counts. */
function voidedBy(movements: readonly Movement[]): Amounts {
  const voided = movements.filter(({ isVoided }) => isVoided)
  const captured = new Set(voided.map(({ originalId }) => originalId))
  return sumOf(voided.filter(({ id }) => !captured.has(id)))
}

function sumOf(movements: readonly Movement[]): Amounts {
  return movements.reduce((sum, { amount }) => addAmounts(sum, amountOf(amount.abs())), NONE)
}

function amountOf(money: Money): Amounts {
  return new Map([[money.currency, money.minor]])
}
