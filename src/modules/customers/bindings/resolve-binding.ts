import type { Instant } from '#kernel/clock'
import { type Acquirer, type Inquiry, leaseNow, type Outcome } from '#modules/acquirers'
import { isPayerOverdue } from './binding.ts'
import { openInstrument } from '../tokens/card-vault.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import type { PaymentToken } from '../tokens/payment-token.ts'
import {
  claimToken,
  findTokenByVerification,
  findTokens,
  releaseToken,
} from '../storage/payment-token.repository.ts'
import { recordBinding } from './record-binding.ts'

/** Inquires about a pending token and records the answer at `at`. The caller holds the lease, which ends on an error. */
export async function resolveBinding(
  deps: CustomersDependencies,
  businessId: string,
  token: string,
  at: Instant,
): Promise<void> {
  try {
    const found = (await deps.db.transact(businessId, (tx) => findTokens(tx, [token]))).get(token)
    if (found === undefined || found.state !== 'pending') return
    const { environment } = await deps.businesses.profile(businessId)
    const answer = await inquireOrClose(deps, deps.acquirers.forBusiness({ environment }), found, at)
    await deps.db.transact(businessId, (tx) => recordBinding(deps, tx, found, answer, at))
  } catch (error) {
    await deps.db.transact(businessId, (tx) => releaseToken(tx, token))
    throw error
  }
}

/**
 * A request that is still on its way could arrive after an inquiry found nothing. So an absent key is closed first, or the
 * same verification is sent again where the acquirer cannot close keys. The key of an overdue payer is closed too.
 */
async function inquireOrClose(
  deps: CustomersDependencies,
  acquirer: Acquirer,
  token: PaymentToken,
  at: Instant,
): Promise<Outcome | Inquiry> {
  const key = token.verifyUuid
  const answer = await acquirer.inquire(key, at)
  const isTooLate = answer.kind === 'pending' && isPayerOverdue(token, at)
  const isUndecided = answer.kind === 'absent' && !answer.closed
  if ((isTooLate || isUndecided) && acquirer.canCloseKeys) return acquirer.closeKey(key, at)
  if (isUndecided) return acquirer.verify({ key, at, instrument: openInstrument(deps.keyring, token) })
  return answer
}

export async function refreshVerification(
  deps: CustomersDependencies,
  businessId: string,
  verifyUuid: string,
): Promise<{ token: PaymentToken; at: Instant } | null> {
  const claimed = await deps.db.transact(businessId, async (tx) => {
    const token = await findTokenByVerification(tx, verifyUuid)
    if (token?.state !== 'pending') return null
    const isClaimed = await claimToken(tx, token.token, leaseNow())
    return isClaimed ? { token: token.token, at: tx.now } : null
  })
  if (claimed !== null) await resolveBinding(deps, businessId, claimed.token, claimed.at)
  return deps.db.transact(businessId, async (tx) => {
    const token = await findTokenByVerification(tx, verifyUuid)
    return token && { token, at: tx.now }
  })
}
