import { type Instant, realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { EMPTY_RECORD, leaseNow, type Payer, type VerifiedInstrument } from '#modules/acquirers'
import { violates } from '#platform/postgres/database-errors'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { CustomersContext } from '../context.ts'
import { findCustomers, lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import {
  countUsableTokens,
  findActiveToken,
  findPayerReference,
  insertKeptTokens,
  insertPendingToken,
  type NewPaymentToken,
} from '../storage/payment-token.repository.ts'
import { handleDefaultToken } from '../profiles/default-token.ts'
import { requireCustomer } from '../profiles/require-customer.ts'
import { MAX_TOKENS, type PaymentToken } from '../model/payment-token.ts'
import { recordBinding } from './record-binding.ts'

export interface VerifiedToken {
  readonly customerUuid: string
  readonly accountId: string
  readonly instrument: VerifiedInstrument
  readonly billingCurrency: string
  readonly becomesDefault?: boolean
}

/**
 * Stores an instrument that the acquirer verified with a payment as an active token. Null when the customer has it already.
 * @throws 404 for an unknown customer, 422 for more than 100 tokens
 */
export async function addVerifiedToken(
  ctx: CustomersContext,
  businessId: string,
  verified: VerifiedToken,
): Promise<PaymentToken | null> {
  try {
    return await ctx.db.transact(businessId, async (tx) => {
      const { customerUuid, instrument } = verified
      requireCustomer(await lockCustomer(tx, customerUuid))
      if ((await countUsableTokens(tx, customerUuid)) >= MAX_TOKENS) throw errors.too_many_payment_tokens()
      const pending = pendingTokenOf(verified, tx.now)
      await insertPendingToken(tx, pending, leaseNow().until)
      return recordBinding(ctx, tx, pending, { kind: 'approved', ...EMPTY_RECORD, instrument }, tx.now)
    })
  } catch (error) {
    if (!violates(error, 'payment_tokens_by_acquirer_token')) throw error
    if (verified.becomesDefault === true) await makeDefault(ctx, businessId, verified)
    return null
  }
}

/**
 * Makes pending tokens of instruments that acquirers keep since an inquiry found their payments approved. Unlike
 * `addVerifiedToken` it waits for no customer, because orders are locked. The job asks the acquirer whether it keeps them.
 */
export async function keepInstruments(tx: Tx, kept: readonly VerifiedToken[]): Promise<void> {
  await insertKeptTokens(
    tx,
    kept.map((one) => ({ ...pendingTokenOf(one, tx.now), verificationReference: one.instrument.id })),
  )
}

function pendingTokenOf(verified: VerifiedToken, at: Instant): NewPaymentToken {
  const { customerUuid, accountId, instrument, billingCurrency, becomesDefault } = verified
  return {
    ...NO_CARD,
    token: newId('pmt'),
    verifyUuid: newId('vrf'),
    customerUuid,
    tokenType: 'CreditCard',
    billingCurrency,
    acquirerAccountId: accountId,
    acquirerToken: instrument.id,
    payerReference: instrument.payerReference,
    defaultRequested: becomesDefault === true ? true : null,
    verificationSentAt: realClock.now(),
    awaiting: 'acquirer',
    dueAt: at,
    createdAt: at,
  }
}

async function makeDefault(
  ctx: CustomersContext,
  businessId: string,
  { customerUuid, accountId, instrument }: VerifiedToken,
): Promise<void> {
  await ctx.db.transact(businessId, async (tx) => {
    const customer = await lockCustomer(tx, customerUuid)
    const token = await findActiveToken(tx, customerUuid, { accountId, acquirerToken: instrument.id })
    if (token === undefined) return
    await setDefaultToken(tx, customerUuid, token, tx.now)
    await handleDefaultToken(ctx, tx, customer, token)
  })
}

const NO_CARD = {
  brand: null,
  first6: null,
  last4: null,
  numberLength: null,
  holderName: null,
  expMonth: null,
  expYear: null,
  expiresAt: null,
  sealed: null,
  returnUrl: null,
  idempotencyId: null,
  walletName: null,
} as const

/** Null of a customer who can have no token more. */
export async function findPayer(tx: Tx, customerUuid: string, accountId: string): Promise<Payer | null> {
  const customer = (await findCustomers(tx, [customerUuid])).get(customerUuid)
  if (customer === undefined || customer.erasedAt !== null) return null
  if ((await countUsableTokens(tx, customerUuid)) >= MAX_TOKENS) return null
  const reference = await findPayerReference(tx, customerUuid, accountId)
  return { customerUuid, reference, name: customer.name, email: customer.email ?? '' }
}
