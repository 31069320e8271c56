import { nextState } from '#kernel/state-table'
import type { Caller } from '#platform/caller'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import { successEnvelope } from '#platform/envelope'
import { storeReply, once } from '#platform/idempotency/idempotency'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { errors } from '../errors.ts'
import type { CustomersContext, TokenView } from '../context.ts'
import { findTokens, lockToken, markTokenDeleted } from '../storage/payment-token.repository.ts'
import { scheduleAgreementEnd } from '../storage/agreement-end.repository.ts'
import type { Tx } from '#platform/postgres/database'
import type { PaymentToken } from '../model/payment-token.ts'
import { PAYMENT_TOKEN_STATES } from '../model/payment-token.states.ts'

/**
 * Erases the card number. A customer whose default token is deleted has no default, because we never choose a card to
 * charge.
 * @param check may refuse the deletion, while the customer and the token are locked
 */
export async function deleteToken(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  token: string,
  check?: (tx: Tx, token: PaymentToken) => Promise<void>,
): Promise<TokenView> {
  return once(ctx.db, caller, async (tx) => {
    const customer = await lockCustomer(tx, customerUuid)
    if (customer === null) throw errors.customer_not_found()
    const found = await lockToken(tx, token)
    if (
      found?.customerUuid !== customerUuid ||
      nextState(PAYMENT_TOKEN_STATES, found.state, 'delete') === undefined
    ) {
      throw errors.payment_token_not_found()
    }
    await check?.(tx, found)
    if (found.isDefault) await setDefaultToken(tx, customerUuid, null, tx.now)
    await markTokenDeleted(tx, token, tx.now)
    if (mayHaveAgreement(found)) await scheduleAgreementEnd(tx, token, tx.now)
    const deleted = (await findTokens(tx, [token])).get(token) ?? found
    const view = { token: deleted, at: tx.now }
    // A crash may have interrupted the binding. The deletion ends it, so its Idempotency-Key gets a response.
    await storeReply(tx, found.idempotencyId, 200, successEnvelope(ctx.present.token(view)))
    return view
  })
}

/** Also of a card: some acquirers keep it by an agreement that can be ended. */
function mayHaveAgreement(token: PaymentToken): boolean {
  const { acquirerAccountId: account } = token
  if (account === null || account === SIMULATOR_ACCOUNT) return false
  if (token.state === 'active') return token.acquirerToken !== null
  return token.state === 'pending' && token.verificationReference !== null
}
