import type { Instant } from '#kernel/clock'
import { type Job, type JobRun, scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { CustomersContext } from '../context.ts'
import { CARD_EXPIRY_NOTICES } from '../job-names.ts'
import { lockDueNotices, nextExpiryNoticeAt, setNoticeTimes } from '../storage/expiry-notice.repository.ts'
import { findTokens } from '../storage/payment-token.repository.ts'
import type { PaymentToken } from '../model/payment-token.ts'
import { nextNoticeAt } from './next-notice.ts'

const BATCH = 200

export async function scheduleExpiryNotice(
  { businesses }: CustomersContext,
  tx: Tx,
  { token, expiresAt }: PaymentToken,
  at: Instant,
): Promise<void> {
  if (expiresAt === null) return
  const { timeZone } = await businesses.profile(tx.businessId)
  const noticeAt = nextNoticeAt(expiresAt, timeZone, at)
  await setNoticeTimes(tx, [{ token, noticeAt }])
  if (noticeAt !== null) await scheduleJob(tx, CARD_EXPIRY_NOTICES, noticeAt)
}

export function cardExpiryNotices(ctx: CustomersContext): Job {
  return {
    name: CARD_EXPIRY_NOTICES,
    clock: 'business',
    nextRunAt: nextExpiryNoticeAt,
    run: async (run) => {
      const { timeZone } = await ctx.businesses.profile(run.businessId)
      return ctx.db.transact(run.businessId, async (tx) => {
        const due = await lockDueNotices(tx, run.until, BATCH)
        const tokens = await findTokens(
          tx,
          due.map(({ token }) => token),
        )
        const found = due.flatMap(({ token, noticeAt }) => {
          const one = tokens.get(token)
          return one === undefined ? [] : [{ token: one, noticeAt }]
        })
        await announce(ctx, tx, run, found)
        await setNoticeTimes(
          tx,
          found.map(({ token: { token, expiresAt }, noticeAt }) => ({
            token,
            noticeAt: nextNoticeAt(expiresAt, timeZone, run.timeOf(noticeAt)),
          })),
        )
        return due.length
      })
    },
  }
}

async function announce(
  ctx: CustomersContext,
  tx: Tx,
  { timeOf }: JobRun,
  due: readonly { readonly token: PaymentToken; readonly noticeAt: Instant }[],
): Promise<void> {
  const defaults = due.filter(({ token }) => token.isDefault)
  if (defaults.length === 0) return
  const uuids = defaults.map(({ token }) => token.customerUuid)
  const billed = new Set<string>()
  for (const find of ctx.billedCustomers) for (const uuid of await find(tx, uuids)) billed.add(uuid)
  const cards = defaults
    .filter(({ token }) => billed.has(token.customerUuid))
    .map(({ token, noticeAt }) => ({ token, at: timeOf(noticeAt) }))
  const events = cards.map(({ token, at: timestamp }) => {
    const data = ctx.present.tokenEvent({ token, at: timestamp })
    return { type: 'payment_token.expiring' as const, objectId: token.token, timestamp, data }
  })
  if (events.length === 0) return
  await ctx.events.append(tx, events)
  for (const handle of ctx.expiringHandlers) await handle(tx, cards)
}
