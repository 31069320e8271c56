import type { Instant } from '#kernel/clock'
import { type Acquirer, type Inquiry, leaseNow, type Outcome } from '#modules/acquirers'
import { isOverdue } from './binding.ts'
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

/**
 * Asks the acquirer what became of one pending token, which the caller has leased, and records it as of `at`. When that
 * fails the lease is given back.
 */
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
    const answer = await ask(deps, deps.acquirers.forBusiness({ environment }), found, at)
    await deps.db.transact(businessId, (tx) => recordBinding(deps, tx, found, answer, at))
  } catch (error) {
    await deps.db.transact(businessId, (tx) => releaseToken(tx, token))
    throw error
  }
}

/**
 * "Absent" counts only once nothing can come any more under our key: the key is closed, or, where the acquirer cannot
 * close keys, the same verification is sent again under it (decisions, section 3). A payer who is too late is closed out too.
 */
async function ask(
  deps: CustomersDependencies,
  acquirer: Acquirer,
  token: PaymentToken,
  at: Instant,
): Promise<Outcome | Inquiry> {
  const key = token.verifyUuid
  const known = await acquirer.inquire(key, at)
  const tooLate = known.kind === 'pending' && isOverdue(token, at)
  const undecided = known.kind === 'absent' && !known.closed
  if ((tooLate || undecided) && acquirer.canCloseKeys) return acquirer.closeKey(key, at)
  if (undecided) return acquirer.verify({ key, at, instrument: openInstrument(deps.keyring, token) })
  return known
}

/**
 * Asks the acquirer at once, without waiting for the next due inquiry: for the page that the payer comes back to.
 * @returns the token as it is now; null when there is none of that verification
 */
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
