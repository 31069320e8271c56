import { realClock } from '#kernel/clock'
import { errorOf, RequestError, throwIfRefused } from '#kernel/errors'
import { newId } from '#kernel/ids'
import {
  type Acquirer,
  type Instrument,
  LEASE_MS,
  leaseNow,
  type VerifyRequest,
  walletOf,
} from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import { type CardExpiry, readExpiry } from '../tokens/card-expiry.ts'
import { brandOf } from '../tokens/card-number.ts'
import { sealBinding } from '../tokens/card-vault.ts'
import { requireCustomer } from '../profiles/require-customer.ts'
import { lockCustomer } from '../storage/customer.repository.ts'
import { BINDING_INQUIRIES } from '../job-names.ts'
import { errors } from '../errors.ts'
import type { CustomersContext, TokenView } from '../context.ts'
import { MAX_TOKENS, walletMethodOf } from '../model/payment-token.ts'
import {
  countUsableTokens,
  findPayerReference,
  insertPendingToken,
  type NewPaymentToken,
} from '../storage/payment-token.repository.ts'
import { violates } from '#platform/postgres/database-errors'
import type { BindRequest, CardRequest } from './bind-request.ts'
import { chooseAccount } from './choose-account.ts'
import { decideCard, refuseExpiry, refuseRealCard } from './decide-binding.ts'
import { verificationOf, verificationUrl } from './verification-request.ts'
import { recordBinding } from './record-binding.ts'

export interface InitiatedBinding {
  readonly token: NewPaymentToken
  readonly acquirer: Acquirer
  /** Holds the CVC, which stays in memory for this one call only. */
  readonly verification: VerifyRequest
}

/**
 * Stores a pending token, verifies it at the acquirer without moving money and stores the outcome. A declined card is a
 * `failed` token and not an error. Without an answer the token stays pending until the job inquires
 * (reference/customers#binding).
 * @throws 404 for an unknown customer, 422 for the card or more than 100 tokens, 503 without an acquirer
 */
export async function bindToken(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  request: BindRequest,
): Promise<TokenView> {
  const { token, acquirer, verification } = await initiateBinding(ctx, caller, customerUuid, request)
  const answer = await acquirer.verify(verification)
  return ctx.db.transact(caller.businessId, async (tx) => ({
    token: await recordBinding(ctx, tx, token, answer, tx.now),
    at: tx.now,
  }))
}

/** Commits the pending token before the acquirer is called, so that a crash leaves a trace. */
export async function initiateBinding(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  request: BindRequest,
): Promise<InitiatedBinding> {
  const card = decideCard(request)
  if (card !== undefined && 'refused' in card) throw errorOf(errors, card)
  const chosen = await chooseAccount(ctx, caller, request, card)
  if (card !== undefined) {
    const acquirerName = chosen instanceof RequestError ? '' : chosen.acquirerName
    throwIfRefused(errors, refuseRealCard(caller.environment, card, acquirerName))
  }
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const expiry = card && readExpiry(card.exp_month, card.exp_year, timeZone)
  const ids = { token: newId('pmt'), verifyUuid: newId('vrf') }
  const sealed = card && ctx.keyring.seal(card.number, sealBinding(caller.businessId, ids.token))
  const returnUrl = verificationUrl(ctx.links, { ...ids, businessId: caller.businessId })
  const { token, customer, accountId } = await ctx.db
    .transact(caller.businessId, async (tx) => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      const locked = requireCustomer(await lockCustomer(tx, customerUuid))
      if (chosen instanceof RequestError) throw chosen
      if ((await countUsableTokens(tx, customerUuid)) >= MAX_TOKENS) throw errors.too_many_payment_tokens()
      if (expiry !== undefined) throwIfRefused(errors, refuseExpiry(expiry, tx.now))
      // When this process dies, the job inquires once the lease has ended.
      const dueAt = tx.now.add({ milliseconds: LEASE_MS })
      const pending: NewPaymentToken = {
        ...ids,
        ...cardColumns(card, expiry, sealed ?? null),
        acquirerAccountId: chosen.id,
        walletName:
          request.token_type === 'CreditCard'
            ? null
            : walletOf(chosen.wallets, walletMethodOf(request.token_type)),
        acquirerToken: request.acquirer_token?.id ?? null,
        payerReference: await findPayerReference(tx, customerUuid, chosen.id),
        verificationSentAt: realClock.now(),
        customerUuid,
        tokenType: request.token_type,
        defaultRequested: request.default ?? null,
        returnUrl: request.return_url ?? null,
        awaiting: 'acquirer',
        dueAt,
        idempotencyId,
        createdAt: tx.now,
      }
      await insertPendingToken(tx, pending, leaseNow().until)
      await scheduleJob(tx, BINDING_INQUIRIES, dueAt)
      return { token: pending, customer: locked, accountId: chosen.id }
    })
    .catch((error: unknown) => {
      if (violates(error, 'payment_tokens_by_acquirer_token')) {
        throw errors.acquirer_token_taken({ param: 'payment_token.acquirer_token.id' })
      }
      throw error
    })
  const acquirer = await ctx.acquirers.open(caller.businessId, accountId)
  const instrument = instrumentOf(request, token, expiry)
  return {
    token,
    acquirer,
    verification: verificationOf(ctx, caller.businessId, token, customer, instrument, returnUrl),
  }
}

function cardColumns(card: CardRequest | undefined, expiry: CardExpiry | undefined, sealed: string | null) {
  return {
    brand: card === undefined ? null : brandOf(card.number),
    first6: card?.number.slice(0, 6) ?? null,
    last4: card?.number.slice(-4) ?? null,
    numberLength: card?.number.length ?? null,
    holderName: card?.holder_name ?? null,
    billingCurrency: card?.billing_currency ?? null,
    expMonth: expiry?.month ?? null,
    expYear: expiry?.year ?? null,
    expiresAt: expiry?.expiresAt ?? null,
    sealed,
  }
}

function instrumentOf(
  { token_type: tokenType, credit_card: card, acquirer_token: token }: BindRequest,
  { payerReference }: NewPaymentToken,
  expiry: CardExpiry | undefined,
): Instrument {
  if (token !== undefined) return { type: 'acquirer_token', id: token.id, payerReference }
  if (card === undefined || expiry === undefined) {
    return { type: walletMethodOf(tokenType), autoDebit: true }
  }
  return {
    type: 'card',
    number: card.number,
    expMonth: expiry.month,
    expYear: expiry.year,
    holderName: card.holder_name,
    cvc: card.cvc,
  }
}
