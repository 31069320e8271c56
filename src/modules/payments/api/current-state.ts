import type { Static } from 'typebox'
import { type ExactNumber, parseJson } from '#kernel/json'
import { type Money, readMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { PaymentsContext } from '../context.ts'
import { readOrders } from '../storage/order-read.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { amountInvalid } from '../requests/amounts.ts'
import { renderOrder, renderTransaction } from './render.ts'
import type { OrderSchema, TransactionSchema } from './schemas.ts'

export type StoredTransaction = Pick<
  Static<typeof TransactionSchema>,
  'uuid' | 'original_transaction_uuid' | 'void_is_pending' | 'payment_data'
> & { readonly amount: Money }

interface StoredEnvelope {
  readonly data: {
    readonly order: Static<typeof OrderSchema>
    readonly transaction?: Static<typeof TransactionSchema>
  }
}

export function storedTransactions({ body }: StoredReply): StoredTransaction[] {
  const { order, transaction } = envelopeIn(body).data
  return (transaction === undefined ? order.transactions : [transaction]).map((shown) => ({
    ...shown,
    amount: readMoney(shown.currency, shown.amount as number | ExactNumber, 'amount', amountInvalid),
  }))
}

/**
 * A replayed 504 shows the order and transaction as they are now (reference/conventions#idempotency). So it includes the
 * outcome of the operation, and what other operations did since.
 */
export async function withCurrentState<Result>(
  ctx: PaymentsContext,
  { businessId }: Caller,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof StoredReply && error.wasUnknown ? await refresh(ctx, businessId, error) : error
  }
}

async function refresh(
  ctx: PaymentsContext,
  businessId: string,
  replayed: StoredReply,
): Promise<StoredReply> {
  const envelope = envelopeIn(replayed.body)
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

function envelopeIn(body: string): StoredEnvelope {
  return parseJson(body) as unknown as StoredEnvelope
}
