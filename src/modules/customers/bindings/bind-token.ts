import type { Instant } from '#kernel/clock'
import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { passesLuhn } from '#kernel/card-number'
import {
  type Acquirer,
  type Instrument,
  isTestCard,
  LEASE_MS,
  leaseNow,
  type VerifyRequest,
} from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import { type CardExpiry, expiryProblem, readExpiry } from '../tokens/card-expiry.ts'
import { brandOf } from '../tokens/card-number.ts'
import { sealBinding } from '../tokens/card-vault.ts'
import { lockCustomer } from '../storage/customer.repository.ts'
import { BINDING_INQUIRIES } from '../job-names.ts'
import { errors } from '../api/errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { MAX_TOKENS, type PaymentToken, type TokenType } from '../tokens/payment-token.ts'
import {
  countUsableTokens,
  insertPendingToken,
  type NewPaymentToken,
} from '../storage/payment-token.repository.ts'
import { recordBinding } from './record-binding.ts'
import { verificationUrl } from '../api/render.ts'

export interface BindRequest {
  readonly token_type: TokenType
  readonly credit_card?: CardRequest
  readonly default?: boolean
  readonly return_url?: string
}

interface CardRequest {
  readonly number: string
  readonly exp_month: string
  readonly exp_year: string
  readonly cvc: string
  readonly holder_name: string
  readonly billing_currency: string
}

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
  deps: CustomersDependencies,
  caller: Caller,
  customerUuid: string,
  request: BindRequest,
): Promise<{ token: PaymentToken; at: Instant }> {
  const { token, acquirer, verification } = await initiateBinding(deps, caller, customerUuid, request)
  const answer = await acquirer.verify(verification)
  return deps.db.transact(caller.businessId, async (tx) => ({
    token: await recordBinding(deps, tx, token, answer, tx.now),
    at: tx.now,
  }))
}

/** Commits the pending token before the acquirer is called, so that a crash leaves a trace. */
export async function initiateBinding(
  deps: CustomersDependencies,
  caller: Caller,
  customerUuid: string,
  request: BindRequest,
): Promise<InitiatedBinding> {
  const acquirer = deps.acquirers.forBusiness(caller)
  const card = checkCard(caller, request)
  const { timeZone } = await deps.businesses.profile(caller.businessId)
  const expiry = card && readExpiry(card.exp_month, card.exp_year, timeZone)
  const ids = { token: newId('pmt'), verifyUuid: newId('vrf') }
  const sealed = card && deps.keyring.seal(card.number, sealBinding(caller.businessId, ids.token))
  const instrument = instrumentOf(request.token_type, card, expiry)
  const returnUrl = verificationUrl(deps.links, { ...ids, businessId: caller.businessId })
  const token = await deps.db.transact(caller.businessId, async (tx) => {
    const idempotencyId = await claimIdempotencyKey(tx, caller)
    if ((await lockCustomer(tx, customerUuid)) === null) throw errors.customer_not_found()
    if ((await countUsableTokens(tx, customerUuid)) >= MAX_TOKENS) throw errors.too_many_payment_tokens()
    checkExpiry(expiry, tx.now)
    // When this process dies, the job inquires once the lease has ended.
    const dueAt = tx.now.add({ milliseconds: LEASE_MS })
    const pending: NewPaymentToken = {
      ...ids,
      ...cardColumns(card, expiry, sealed ?? null),
      customerUuid,
      tokenType: request.token_type,
      defaultRequested: request.default ?? null,
      returnUrl: request.return_url ?? null,
      awaiting: 'acquirer',
      dueAt,
      idempotencyId,
      createdAt: tx.now,
    }
    await insertPendingToken(tx, pending, leaseNow().leasedUntil)
    await scheduleJob(tx, BINDING_INQUIRIES, dueAt)
    return pending
  })
  const verification = { key: token.verifyUuid, at: token.createdAt, instrument, returnUrl }
  return { token, acquirer, verification }
}

function checkCard(caller: Caller, request: BindRequest): CardRequest | undefined {
  const card = request.credit_card
  if (request.token_type !== 'CreditCard') {
    if (card === undefined) return undefined
    throw errors.credit_card_not_allowed({ param: 'payment_token.credit_card' })
  }
  if (card === undefined) throw errors.credit_card_required({ param: 'payment_token.credit_card' })
  const param = 'payment_token.credit_card.number'
  if (!passesLuhn(card.number)) throw errors.card_number_invalid({ param })
  if (caller.environment === 'test' && !isTestCard(card.number)) throw errors.test_card_required({ param })
  if (!isCurrency(card.billing_currency)) {
    throw errors.billing_currency_unknown({ param: 'payment_token.credit_card.billing_currency' })
  }
  return card
}

function checkExpiry(expiry: CardExpiry | undefined, at: Instant): void {
  const problem = expiry === undefined ? null : expiryProblem(expiry, at)
  if (problem === null) return
  throw errors[problem]({ param: 'payment_token.credit_card.exp_year' })
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
  tokenType: TokenType,
  card: CardRequest | undefined,
  expiry: CardExpiry | undefined,
): Instrument {
  if (card === undefined || expiry === undefined) {
    return { type: tokenType === 'WalletBAutoDebit' ? 'wallet_b' : 'wallet_a_pay', autoDebit: true }
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
