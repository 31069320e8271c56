import type { Instant } from '#kernel/clock'
import {
  type Acquirer,
  type Inquiry,
  leaseNow,
  type Lookup,
  SIMULATOR_ACCOUNT,
  type VerifyOutcome,
} from '#modules/acquirers'
import type { Customer } from '../model/customer.ts'
import { findCustomers } from '../storage/customer.repository.ts'
import { verificationOf, verificationUrl } from './verification-request.ts'
import { isPayerOverdue } from './binding.ts'
import { openInstrument } from '../tokens/card-vault.ts'
import type { CustomersContext, TokenView } from '../context.ts'
import type { PaymentToken } from '../model/payment-token.ts'
import {
  claimToken,
  findTokenByVerification,
  findTokens,
  releaseToken,
} from '../storage/payment-token.repository.ts'
import { recordBinding } from './record-binding.ts'

/** Inquires about a pending token and records the answer at `at`. The caller holds the lease, which ends on an error. */
export async function resolveBinding(
  ctx: CustomersContext,
  businessId: string,
  token: string,
  at: Instant,
  returned: Lookup['returned'] = {},
  quietUntil?: Instant,
): Promise<void> {
  try {
    const { found, customer } = await ctx.db.transact(businessId, async (tx) => {
      const stored = (await findTokens(tx, [token])).get(token)
      const customers = await findCustomers(tx, stored === undefined ? [] : [stored.customerUuid])
      return { found: stored, customer: customers.get(stored?.customerUuid ?? '') }
    })
    if (found === undefined || customer === undefined || found.state !== 'pending') return
    const acquirer = await ctx.acquirers.open(businessId, found.acquirerAccountId ?? SIMULATOR_ACCOUNT)
    const answer = await inquireOrClose(ctx, acquirer, { token: found, customer, returned }, at)
    await ctx.db.transact(businessId, (tx) => recordBinding(ctx, tx, found, answer, at, quietUntil))
  } catch (error) {
    await ctx.db.transact(businessId, (tx) => releaseToken(tx, token))
    throw error
  }
}

interface Binding {
  readonly token: PaymentToken
  readonly customer: Customer
  readonly returned: Lookup['returned']
}

/**
 * A request that is still on its way could arrive after an inquiry found nothing. So an absent key is closed first, or the
 * same verification is sent again where the acquirer cannot close keys. The key of an overdue payer is closed too.
 */
async function inquireOrClose(
  ctx: CustomersContext,
  acquirer: Acquirer,
  { token, customer, returned }: Binding,
  at: Instant,
): Promise<VerifyOutcome | Inquiry> {
  const lookup: Lookup = {
    kind: 'verification',
    key: token.verifyUuid,
    at,
    reference: token.verificationReference,
    sentAt: token.verificationSentAt,
    amount: null,
    originalReference: null,
    ...(token.nextActionUrl !== null && {
      nextAction: { type: 'three_d_secure', ...token.nextAction, url: token.nextActionUrl },
    }),
    returned,
    commitReference: async () => true,
  }
  const answer = await acquirer.inquire(lookup)
  const isTooLate = answer.kind === 'pending' && isPayerOverdue(token, at)
  const isUndecided = answer.kind === 'absent' && !answer.closed
  if ((isTooLate || isUndecided) && acquirer.capabilities.closes.has('verification')) {
    return acquirer.closeKey(lookup)
  }
  if (isUndecided) {
    const { businessId } = token
    const instrument = openInstrument(ctx.keyring, token, token.acquirerAccountId ?? SIMULATOR_ACCOUNT)
    const returnUrl = verificationUrl(ctx.links, token)
    return acquirer.verify(verificationOf(ctx, businessId, token, customer, instrument, returnUrl))
  }
  return answer
}

export async function refreshVerification(
  ctx: CustomersContext,
  businessId: string,
  verifyUuid: string,
  returned: Lookup['returned'] = {},
): Promise<TokenView | null> {
  const claimed = await ctx.db.transact(businessId, async (tx) => {
    const token = await findTokenByVerification(tx, verifyUuid)
    if (token?.state !== 'pending') return null
    const isClaimed = await claimToken(tx, token.token, leaseNow())
    return isClaimed ? { token: token.token, at: tx.now } : null
  })
  if (claimed !== null) await resolveBinding(ctx, businessId, claimed.token, claimed.at, returned)
  return ctx.db.transact(businessId, async (tx) => {
    const token = await findTokenByVerification(tx, verifyUuid)
    return token && { token, at: tx.now }
  })
}
