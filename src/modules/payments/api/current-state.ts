import { parseJson } from '#kernel/json'
import { ReplayedAnswer } from '#platform/http/routes/replayed-answer'
import type { PaymentsContext } from '../context.ts'
import { byIds } from '../storage/order-selector.ts'
import { readOrders } from '../storage/order.repository.ts'
import { renderOrder, renderTransaction } from './render.ts'

/** What an operation's kept answer has in its envelope, whether it is a success or an error. */
interface Envelope {
  readonly data: {
    readonly order: { readonly number: string }
    readonly transaction?: { readonly uuid: string }
  }
}

/**
 * A replayed 504 answers the state of now (decisions, section 1): what became of the operation, with its order and its
 * transaction as they are, whatever other operations did to them since.
 */
export async function withCurrentState(
  ctx: PaymentsContext,
  businessId: string,
  answering: Promise<object>,
): Promise<object> {
  try {
    return await answering
  } catch (error) {
    throw error instanceof ReplayedAnswer && error.wasUnknown ? await ofNow(ctx, businessId, error) : error
  }
}

async function ofNow(
  ctx: PaymentsContext,
  businessId: string,
  replayed: ReplayedAnswer,
): Promise<ReplayedAnswer> {
  const envelope = parseJson(replayed.body) as unknown as Envelope
  const [read] = await readOrders(ctx.db, businessId, byIds([envelope.data.order.number]))
  if (read === undefined) throw new Error('the order of a kept answer was lost')
  const { order, transactions, now } = read
  const transaction = transactions.find(({ id }) => id === envelope.data.transaction?.uuid)
  const data = {
    ...envelope.data,
    order: renderOrder(order, transactions, now),
    ...(transaction && { transaction: renderTransaction(transaction, transactions, now) }),
  }
  return new ReplayedAnswer(replayed.status, JSON.stringify({ ...envelope, data }))
}
