import { nextState } from '#kernel/state-table'
import type { Caller } from '#platform/caller'
import { successEnvelope } from '#platform/http/routes/envelope'
import { keepAnswer, once } from '#platform/idempotency/idempotency'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { errors } from '../api/errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { deleteToken as markDeleted, findTokens, lockToken } from '../storage/payment-token.repository.ts'
import { PAYMENT_TOKEN_STATES } from './payment-token.states.ts'
import { renderPaymentToken } from '../api/render.ts'

/**
 * Deletes a token of a customer and erases its card number. When it was the default, the customer has none until the
 * caller names one or binds one: which card is charged is not ours to pick.
 * @throws 404 for a token that is absent, deleted already, or another customer's
 */
export async function deleteToken(
  deps: CustomersDependencies,
  caller: Caller,
  customerUuid: string,
  token: string,
): Promise<{ payment_token: object }> {
  return once(deps.db, caller, async (tx) => {
    const customer = await lockCustomer(tx, customerUuid)
    if (customer === null) throw errors.customer_not_found()
    const found = await lockToken(tx, token)
    if (
      found?.customerUuid !== customerUuid ||
      nextState(PAYMENT_TOKEN_STATES, found.state, 'remove') === undefined
    ) {
      throw errors.payment_token_not_found()
    }
    if (found.isDefault) await setDefaultToken(tx, customerUuid, null, tx.now)
    await markDeleted(tx, token, tx.now)
    const deleted = (await findTokens(tx, [token])).get(token) ?? found
    const data = { payment_token: renderPaymentToken(deps.links, deleted, tx.now) }
    // A binding that a crash interrupted is over with this, so its key gets its answer.
    await keepAnswer(tx, found.idempotencyId, 200, successEnvelope(data))
    return data
  })
}
