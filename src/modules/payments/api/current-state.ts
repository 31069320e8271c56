import { parseJson } from '#kernel/json'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { PaymentsContext } from '../context.ts'
import { readOrders } from '../storage/order.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { renderOrder, renderTransaction } from './render.ts'

interface StoredEnvelope {
  readonly data: {
    readonly order: { readonly number: string }
    readonly transaction?: { readonly uuid: string }
  }
}

/**
 * A replayed 504 shows the order and transaction as they are now (reference/conventions#idempotency): what became of the
 * operation, and what other operations did since.
 */
export async function withCurrentState(
  ctx: PaymentsContext,
  businessId: string,
  reply: Promise<object>,
): Promise<object> {
  try {
    return await reply
  } catch (error) {
    throw error instanceof StoredReply && error.wasUnknown ? await refresh(ctx, businessId, error) : error
  }
}

async function refresh(
  ctx: PaymentsContext,
  businessId: string,
  replayed: StoredReply,
): Promise<StoredReply> {
  const envelope = parseJson(replayed.body) as unknown as StoredEnvelope
  const { number } = envelope.data.order
  const [current] = await readOrders(ctx.db, businessId, byIds([number]))
  if (current === undefined) throw new Error(`order ${number} of a stored reply does not exist`)
  const { order, transactions, now } = current
  const transaction = transactions.find(({ id }) => id === envelope.data.transaction?.uuid)
  const data = {
    ...envelope.data,
    order: renderOrder(order, transactions, now),
    ...(transaction && { transaction: renderTransaction(transaction, transactions, now) }),
  }
  return new StoredReply(replayed.status, JSON.stringify({ ...envelope, data }))
}
