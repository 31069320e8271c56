import { realClock } from '#kernel/clock'
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
  insertPendingToken,
  type NewPaymentToken,
} from '../storage/payment-token.repository.ts'
import { handleDefaultToken } from '../profiles/default-token.ts'
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
  const { customerUuid, accountId, instrument } = verified
  try {
    return await ctx.db.transact(businessId, async (tx) => {
      const customer = await lockCustomer(tx, customerUuid)
      if (customer === null) throw errors.customer_not_found()
      if (customer.erasedAt !== null) throw errors.customer_erased()
      if ((await countUsableTokens(tx, customerUuid)) >= MAX_TOKENS) throw errors.too_many_payment_tokens()
      const pending: NewPaymentToken = {
        ...NO_CARD,
        token: newId('pmt'),
        verifyUuid: newId('vrf'),
        customerUuid,
        tokenType: 'CreditCard',
        billingCurrency: verified.billingCurrency,
        acquirerAccountId: accountId,
        acquirerToken: instrument.id,
        payerReference: instrument.payerReference,
        defaultRequested: verified.becomesDefault === true ? true : null,
        verificationSentAt: realClock.now(),
        awaiting: 'acquirer',
        dueAt: tx.now,
        createdAt: tx.now,
      }
      await insertPendingToken(tx, pending, leaseNow().until)
      return recordBinding(ctx, tx, pending, { kind: 'approved', ...EMPTY_RECORD, instrument }, tx.now)
    })
  } catch (error) {
    if (!violates(error, 'payment_tokens_by_acquirer_token')) throw error
    if (verified.becomesDefault === true) await makeDefault(ctx, businessId, verified)
    return null
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

export async function findPayer(tx: Tx, customerUuid: string, accountId: string): Promise<Payer | null> {
  const customer = (await findCustomers(tx, [customerUuid])).get(customerUuid)
  if (customer === undefined) return null
  const reference = await findPayerReference(tx, customerUuid, accountId)
  return { customerUuid, reference, name: customer.name, email: customer.email ?? '' }
}
