import { setTimeout as delay } from 'node:timers/promises'
import { earliestOf, type Instant, isAfter, realClock } from '#kernel/clock'
import { onOneLine } from '#kernel/one-line'
import { billingDetails } from '#modules/taxes'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import { renewalOfRows, whileRenewing } from '#platform/jobs/renewals'
import { retryDelayAfter } from '#platform/jobs/retry-rhythm'
import { isMailAddress } from '#platform/mail/address'
import type { Handover } from '#platform/mail/mailer'
import type { Tx } from '#platform/postgres/database'
import { messageOf } from '#platform/thrown'
import type { MessagesContext } from '../context.ts'
import { MESSAGES } from '../job-names.ts'
import { decideTry } from '../model/decide-delivery.ts'
import { type Message, messageIdOf } from '../model/message.ts'
import { withoutPortalLinks } from '../model/portal-links.ts'
import {
  claimMessages,
  LEASED_MESSAGES,
  type MessageResult,
  nextMessageDue,
  recordMessages,
} from '../storage/message.repository.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { findSuppressions, suppress } from '../storage/suppression.repository.ts'
import { decideRecipients, type RecipientGround } from './decide-recipients.ts'
import { type RenderedMail, renderMessages, shownAttachments, type ToDeliver } from './render-messages.ts'

/** What one process renders and sends at a time, over all businesses. */
const MAX_UNDER_WAY = 50
/** Each claim renews its lease by itself, so a low rate must not claim mails one by one. Those still under way keep all connections busy. */
const MIN_FREE = MAX_UNDER_WAY / 2
/** After the death of a process its messages wait this long. The lease of a slow mail is extended. */
const LEASE_MS = 20_000
/** A run that takes longer is detached: it goes on sending, and its slot is free for the jobs of others. */
const SLOW_MS = 500
/** Messages that wait for the clock of a sandbox become due when it moves, which schedules no run. */
const POLL_WAITING_MS = 1_000
/** While too few places are free, a poll of once a second would send no more than `MAX_UNDER_WAY` mails a second. */
const POLL_FULL_MS = 250
const MAX_ERROR_LENGTH = 500

/**
 * Renders and sends messages that are due on the business's clock. The job itself runs on the real one: it runs while a clock
 * is being advanced, and no advance waits for a mail server.
 */
export function deliverJob(ctx: MessagesContext): Job {
  const underWay = { count: 0 }
  return {
    name: MESSAGES,
    clock: 'real',
    nextRunAt: (tx) => nextRunAt(tx, MAX_UNDER_WAY - underWay.count < MIN_FREE),
    run: async (run) => {
      const limit = MAX_UNDER_WAY - underWay.count
      if (limit < MIN_FREE) return 0
      const lease = newLease(LEASE_MS)
      const { claimed, ground } = await ctx.db.transact(run.businessId, async (tx) => {
        const messages = await claimMessages(tx, limit, lease)
        return { claimed: messages, ground: messages.length > 0 && (await readRecipients(tx, messages)) }
      })
      if (ground === false) return 0
      underWay.count += claimed.length
      const held = claimed.map(({ id }) => ({ key: id, leaseId: lease.id }))
      const renewal = renewalOfRows(ctx.db, run.businessId, LEASED_MESSAGES, held, LEASE_MS)
      // Each mail frees its own place, so that the next is claimed before the last of the batch has been sent.
      let left = claimed.length
      const release = () => {
        left -= 1
        underWay.count -= 1
      }
      const delivered = whileRenewing(renewal, () =>
        deliver(ctx, run, { claimed, ground, leaseId: lease.id, release }),
      ).finally(() => {
        underWay.count -= left
      })
      const isSlow = (await Promise.race([delivered, delay(SLOW_MS, 'slow')])) === 'slow'
      if (!isSlow || run.detach === undefined) await delivered
      else run.detach(delivered)
      return claimed.length
    },
  }
}

async function nextRunAt(tx: Tx, isFull: boolean): Promise<Instant | null> {
  const { dueAt, leasedUntil } = await nextMessageDue(tx, realClock.now())
  if (dueAt === null) return leasedUntil
  return earliestOf([pollTime(tx, dueAt, isFull), leasedUntil])
}

function pollTime(tx: Tx, dueAt: Instant, isFull: boolean): Instant {
  // The clock is being advanced, so no real time corresponds to `dueAt`.
  if (tx.clockOffsetMs === undefined) return inMs(POLL_WAITING_MS)
  if (isAfter(dueAt, tx.now)) return dueAt.subtract({ milliseconds: tx.clockOffsetMs })
  return inMs(isFull ? POLL_FULL_MS : 0)
}

function inMs(milliseconds: number): Instant {
  return realClock.now().add({ milliseconds })
}

interface Batch {
  readonly claimed: readonly Message[]
  readonly ground: RecipientGround
  readonly leaseId: string
  readonly release: () => void
}

async function deliver(
  ctx: MessagesContext,
  { businessId }: JobRun,
  { claimed, ground, leaseId, release }: Batch,
): Promise<void> {
  const rendered = await renderMessages(ctx, businessId, claimed, { dropsGone: true })
  // Each result is recorded by itself, so that a slow mail holds up no other.
  const results = await Promise.allSettled(
    rendered.map(async (one) => {
      const tried = await trySending(ctx, one, ground)
      await record(ctx, businessId, leaseId, one, tried).finally(release)
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function readRecipients(tx: Tx, messages: readonly Message[]): Promise<RecipientGround> {
  const [settings, details] = await Promise.all([
    findSettings(tx),
    billingDetails(
      tx,
      messages.map(({ customerUuid }) => customerUuid),
    ),
  ])
  const copiesOf = new Map([...details].map(([uuid, { cc }]) => [uuid, (cc ?? []).filter(isMailAddress)]))
  const addresses = [
    ...messages.flatMap(({ recipient }) => recipient ?? []),
    ...[...copiesOf.values()].flat(),
    ...(settings.bcc === null ? [] : [settings.bcc]),
  ]
  const suppressions = await findSuppressions(tx, addresses)
  return { bcc: settings.bcc, replyTo: settings.replyTo, copiesOf, suppressions }
}

/** - `handover`: Undefined where nothing was sent. */
interface Sending {
  readonly recipients: readonly string[]
  readonly handover: Handover | undefined
  readonly error: string | null
  readonly isSuppressed: boolean
}

const NOT_SENT: Sending = { recipients: [], handover: undefined, error: null, isSuppressed: false }
const NO_SERVER = 'No mail server is set (SMTP_URL).'

async function trySending(
  ctx: MessagesContext,
  { message, mail }: ToDeliver,
  ground: RecipientGround,
): Promise<Sending> {
  const { recipient, state } = message
  if (mail === null || recipient === null || state === 'kept') return NOT_SENT
  const { cc, recipients, isSuppressed } = decideRecipients({ ...message, recipient }, ground)
  const sending = { recipients, handover: undefined, error: null, isSuppressed }
  if (recipients.length === 0) return sending
  if (ctx.mailer === undefined) return { ...sending, error: NO_SERVER }
  try {
    const handover = await ctx.mailer.handOver({
      to: recipient,
      ...(cc.length > 0 && { cc }),
      recipients,
      messageId: messageIdOf(message, ctx.domain()),
      replyTo: ground.replyTo,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      attachments: mail.attachments,
      headers: unsubscribeHeaders(mail),
    })
    return { ...sending, handover, error: handover.refused.at(-1)?.response ?? null }
  } catch (error) {
    return { ...sending, error: messageOf(error) }
  }
}

/** RFC 8058, which the DKIM signature covers. */
function unsubscribeHeaders({ unsubscribeUrl }: RenderedMail): Readonly<Record<string, string>> {
  if (unsubscribeUrl === null) return {}
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

async function record(
  ctx: MessagesContext,
  businessId: string,
  leaseId: string,
  { message, mail }: ToDeliver,
  sending: Sending,
): Promise<void> {
  await ctx.db.transact(businessId, async (tx) => {
    const { result, event } = resultOf(tx, message, mail, sending)
    const [recorded] = await recordMessages(tx, leaseId, [result])
    const bounced = sending.handover?.refused.filter(({ isPermanent }) => isPermanent) ?? []
    await suppress(
      tx,
      bounced.map(({ address }) => [address, 'hard'] as const),
      tx.now,
    )
    if (recorded === undefined || event === null) return
    const data = ctx.present.event(recorded)
    await ctx.events.append(tx, [{ type: event, objectId: recorded.id, timestamp: tx.now, data }])
  })
}

function resultOf(
  tx: Tx,
  message: Message,
  mail: RenderedMail | null,
  { recipients, handover, error, isSuppressed: isStopped }: Sending,
): { readonly result: MessageResult; readonly event: ReturnType<typeof decideTry>['event'] } {
  if (mail === null) return { result: { ...message, state: 'dropped', dueInMs: null }, event: null }
  const base = { ...message, ...contentOf(mail), dueInMs: null }
  const state = isStopped ? 'suppressed' : message.state
  if (recipients.length === 0) return { result: { ...base, state }, event: null }
  const tries = message.tries + 1
  const firstTryAt = message.firstTryAt ?? tx.now
  const tried = decideTry(
    { ...message, state, firstTryAt },
    {
      at: tx.now,
      recipients,
      accepted: handover?.accepted ?? [],
      refusedForGood: (handover?.refused ?? []).flatMap(({ address, isPermanent }) =>
        isPermanent ? address : [],
      ),
      // A mail server may say what PostgreSQL does not store, and the mail would be sent again without end.
      error: error === null ? null : onOneLine(error).slice(0, MAX_ERROR_LENGTH).toWellFormed(),
      delayMs: retryDelayAfter(tries),
    },
  )
  const sentAt = tried.isSent ? tx.now : message.sentAt
  const { reached, dueInMs } = tried
  return {
    result: {
      ...base,
      ...(tried.state !== 'queued' && withoutPortalLinks(base)),
      state: tried.state,
      reached,
      tries,
      firstTryAt,
      sentAt,
      dueInMs,
      error: tried.error,
    },
    event: tried.event,
  }
}

function contentOf(mail: RenderedMail): Pick<Message, 'subject' | 'html' | 'body' | 'attachments'> {
  return {
    subject: mail.subject,
    html: mail.html,
    body: mail.text,
    attachments: shownAttachments(mail.attachments),
  }
}
