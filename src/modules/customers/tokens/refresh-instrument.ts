import type { Instant } from '#kernel/clock'
import type { Acquirer, VerifiedInstrument } from '#modules/acquirers'
import type { Job } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { CustomersContext } from '../context.ts'
import { scheduleExpiryNotice } from '../expiry/expiry-notices.ts'
import { INSTRUMENT_REFRESH } from '../job-names.ts'
import { endRefresh, findTokensToRefresh, nextRefreshAt } from '../storage/instrument-refresh.repository.ts'
import { findTokens, saveInstrument } from '../storage/payment-token.repository.ts'
import { isAgreement, type PaymentToken } from '../model/payment-token.ts'
import { readExpiry } from './card-expiry.ts'
import { recordEndByPayer } from './ended-by-payer.ts'

/** A run makes at most 16 calls at a time (`ACQUIRER_CONCURRENCY`). */
const BATCH = 16
const RETRY_HOURS = 1

export function instrumentRefresh(ctx: CustomersContext): Job {
  return {
    name: INSTRUMENT_REFRESH,
    clock: 'business',
    callsAcquirer: true,
    nextRunAt: nextRefreshAt,
    run: async ({ businessId, until }) => {
      const tokens = await ctx.db.transact(businessId, (tx) => findTokensToRefresh(tx, until, BATCH))
      await Promise.all(tokens.map((token) => refresh(ctx, businessId, token, until)))
      return tokens.length
    },
  }
}

async function refresh(ctx: CustomersContext, businessId: string, token: string, at: Instant): Promise<void> {
  const found = (await ctx.db.transact(businessId, (tx) => findTokens(tx, [token]))).get(token)
  const { acquirerAccountId: accountId, acquirerToken: id, payerReference } = found ?? {}
  if (accountId === undefined || accountId === null || id === undefined || id === null) return
  const { agreements } = await ctx.acquirers.open(businessId, accountId)
  if (found !== undefined && (await endsByPayer(ctx, businessId, found, agreements, at))) return
  const acquirer = await ctx.acquirers.connected(businessId, accountId)
  const reply = await acquirer.readInstrument({ id, payerReference: payerReference ?? null })
  await ctx.db.transact(businessId, async (tx) => {
    if (reply.kind === 'ok') {
      await saveVerified(ctx, tx, token, reply.value)
      const renewed = (await findTokens(tx, [token])).get(token)
      if (renewed?.state === 'active') await scheduleExpiryNotice(ctx, tx, renewed, at)
    }
    await endRefresh(tx, token, reply.kind === 'unavailable' ? at.add({ hours: RETRY_HOURS }) : null)
  })
}

/** Returns true if there is no card to read: the agreement has ended, cannot be read now, or is that of a wallet. */
async function endsByPayer(
  ctx: CustomersContext,
  businessId: string,
  token: PaymentToken,
  agreements: Acquirer['agreements'],
  at: Instant,
): Promise<boolean> {
  const reply = await agreements?.read(token.acquirerToken ?? '')
  const isEnded = reply?.kind === 'ok' && reply.value === 'ended'
  const isUnavailable = reply?.kind === 'unavailable'
  if (!isEnded && !isUnavailable && !isAgreement(token)) return false
  await ctx.db.transact(businessId, async (tx) => {
    if (isEnded) await recordEndByPayer(ctx, tx, token, at)
    await endRefresh(tx, token.token, isUnavailable ? at.add({ hours: RETRY_HOURS }) : null)
  })
  return true
}

export async function saveVerified(
  ctx: CustomersContext,
  tx: Tx,
  token: string,
  instrument: VerifiedInstrument,
): Promise<void> {
  const { expMonth, expYear } = instrument
  const { timeZone } = await ctx.businesses.profile(tx.businessId)
  const expiresAt =
    expMonth === null || expYear === null
      ? null
      : readExpiry(String(expMonth), String(expYear), timeZone).expiresAt
  await saveInstrument(tx, token, { ...instrument, expiresAt })
}
