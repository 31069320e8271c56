import { type Instant, realClock } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { moneyInSentence } from '#platform/documents/money-text'
import { lateRuns } from '#platform/jobs/late-runs'
import type { Tx } from '#platform/postgres/database'
import type { ReportsDependencies } from '../dependencies.ts'

const MAX_COUNTED = 1_000
/** The number of reference/reports#attention. */
const SHOWN = 10

/** The times of reference/reports#attention. */
const UNKNOWN_AFTER_MINUTES = 1
const FAILED_WITHIN_DAYS = 30
const UNTAXED_WITHIN_DAYS = 30
const RETURNED_WITHIN_DAYS = 30
const OVERPAID_WITHIN_DAYS = 30
const UNDELIVERED_WITHIN_DAYS = 7
const DISPUTE_DUE_WITHIN_DAYS = 7
const LATE_AFTER_MINUTES = 1
const FAILING_WITHIN_HOURS = 24

export const ATTENTION_KINDS = [
  'unknown_outcome',
  'late_failure',
  'dispute_due',
  'uncollectible_plan',
  'missing_credit',
  'no_rate',
  'exchange_rate_missing',
  'late_job',
  'failing_webhook',
  'stopped_bulk_action',
  'ambiguous_return',
  'invoice_overdue',
  'transfer_unmatched',
  'transfer_returned',
  'order_overpaid',
  'message_undelivered',
] as const

export interface Attention {
  readonly kind: (typeof ATTENTION_KINDS)[number]
  readonly count: number
  readonly oldest: readonly AttentionItem[]
}

interface AttentionItem {
  readonly id: string
  readonly title: string
  readonly subject: string
  readonly at: Instant
}

export async function readAttention(deps: ReportsDependencies, { businessId }: Caller): Promise<Attention[]> {
  const { timeZone } = await deps.businesses.profile(businessId)
  return deps.db.transact(
    businessId,
    async (tx) => {
      const now = realClock.now()
      const today = localDateOf(tx.now, timeZone)
      const returnedAfter = tx.now.subtract({ hours: 24 * RETURNED_WITHIN_DAYS })
      const attention = await Promise.all([
        read(
          'unknown_outcome',
          deps.payments.unknownOutcomes(tx, tx.now.subtract({ minutes: UNKNOWN_AFTER_MINUTES }), MAX_COUNTED),
          unknownItem,
        ),
        read(
          'late_failure',
          deps.payments.laterFailures(tx, tx.now.subtract({ hours: 24 * FAILED_WITHIN_DAYS }), MAX_COUNTED),
          failureItem,
        ),
        read(
          'dispute_due',
          deps.disputes.dueUntil(tx, now.add({ hours: 24 * DISPUTE_DUE_WITHIN_DAYS }), MAX_COUNTED),
          disputeItem,
        ),
        read('uncollectible_plan', deps.billing.uncollectiblePlans(tx, MAX_COUNTED), planItem),
        read('missing_credit', deps.billing.missingCredit(tx, MAX_COUNTED), missingItem),
        read(
          'no_rate',
          deps.payments.ordersWithoutRate(
            tx,
            tx.now.subtract({ hours: 24 * UNTAXED_WITHIN_DAYS }),
            MAX_COUNTED,
          ),
          untaxedItem,
        ),
        read('exchange_rate_missing', deps.invoices.documentsWithoutRate(tx, MAX_COUNTED), unconvertedItem),
        read('late_job', lateRuns(tx, now.subtract({ minutes: LATE_AFTER_MINUTES })), jobItem),
        read(
          'failing_webhook',
          deps.webhooks.failingReceivers(tx, now.subtract({ hours: FAILING_WITHIN_HOURS }), MAX_COUNTED),
          receiverItem,
        ),
        read('stopped_bulk_action', deps.bulkActions.stopped(tx, MAX_COUNTED), bulkActionItem),
        read(
          'ambiguous_return',
          deps.bankTransfers.ambiguousReturns(tx, returnedAfter, MAX_COUNTED),
          ambiguousItem,
        ),
        read(
          'invoice_overdue',
          deps.invoices.overdueInvoices(tx, today.toString(), MAX_COUNTED),
          overdueItem,
        ),
        read('transfer_unmatched', deps.bankTransfers.unmatchedTransfers(tx, MAX_COUNTED), unmatchedItem),
        read(
          'transfer_returned',
          deps.bankTransfers.returnedTransfers(tx, returnedAfter, MAX_COUNTED),
          returnedItem,
        ),
        read(
          'order_overpaid',
          overpaidOrders(deps, tx, today.subtract({ days: OVERPAID_WITHIN_DAYS }).toString()),
          overpaidItem,
        ),
        read(
          'message_undelivered',
          deps.messages.undelivered(
            tx,
            tx.now.subtract({ hours: 24 * UNDELIVERED_WITHIN_DAYS }),
            MAX_COUNTED,
          ),
          undeliveredItem,
        ),
      ])
      return attention.filter(({ count }) => count > 0)
    },
    { isSnapshot: true },
  )
}

async function read<Found>(
  kind: Attention['kind'],
  found: Promise<readonly Found[]>,
  itemOf: (one: Found) => AttentionItem | readonly AttentionItem[],
): Promise<Attention> {
  const items = (await found).flatMap(itemOf)
  return { kind, count: items.length, oldest: items.slice(0, SHOWN) }
}

type Each<Read extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<Read>>[number]

function undeliveredItem(one: Each<ReportsDependencies['messages']['undelivered']>): AttentionItem {
  const kind = one.kind.replaceAll('_', ' ')
  const what = one.state === 'bounced' ? 'bounced' : 'could not be sent for a day'
  const title = `The message ${kind} to ${one.recipient ?? 'an erased customer'} ${what}.`
  return { id: one.id, title, subject: one.recipient ?? one.id, at: one.createdAt }
}

function unknownItem(one: Each<ReportsDependencies['payments']['unknownOutcomes']>): AttentionItem {
  const title = `The outcome of a ${one.kind} of order ${one.orderId} is unknown.`
  return { id: one.transactionId, title, subject: one.orderId, at: one.startedAt }
}

function failureItem(one: Each<ReportsDependencies['payments']['laterFailures']>): AttentionItem {
  const kind = one.type === 'Sales' ? 'sale' : one.type.toLowerCase()
  const amount = moneyInSentence(one.amount.abs())
  const subject = `${one.orderId}, ${amount}`
  const title = `The ${kind} of ${amount} of order ${one.orderId} failed after it had counted: ${one.answer.responseMessage}.`
  return { id: one.id, title, subject, at: one.updatedAt }
}

function disputeItem(one: Each<ReportsDependencies['disputes']['dueUntil']>): AttentionItem[] {
  if (one.respondBy === null) return []
  const subject = moneyInSentence(one.amount)
  const title = `Evidence in the dispute of ${subject} (${one.reason}) is due.`
  return [{ id: one.id, title, subject, at: one.respondBy }]
}

function planItem(one: Each<ReportsDependencies['billing']['uncollectiblePlans']>): AttentionItem {
  return { id: one.id, title: `The plan ${one.name} is uncollectible.`, subject: one.name, at: one.since }
}

function missingItem(one: Each<ReportsDependencies['billing']['missingCredit']>): AttentionItem {
  const amount = `${one.missing.currency} ${one.missing.toString()}`
  const title = `The plan ${one.planName} has spent ${amount} of credit for order ${one.orderId}, whose payment was returned.`
  return { id: one.orderId, title, subject: `${one.orderId}, ${amount}`, at: one.at }
}

function untaxedItem(one: Each<ReportsDependencies['payments']['ordersWithoutRate']>): AttentionItem {
  const title = `There was no tax rate for lines of order ${one.id}.`
  return { id: one.id, title, subject: one.id, at: one.created_at }
}

function unconvertedItem(one: Each<ReportsDependencies['invoices']['documentsWithoutRate']>): AttentionItem {
  const title = `There was no exchange rate of ${one.currency} and ${one.to} on ${one.date} for the tax of ${one.number}.`
  return { id: one.id, title, subject: `${one.number}, ${one.currency} ${one.to}`, at: one.at }
}

function jobItem(one: Each<typeof lateRuns>): AttentionItem {
  return { id: one.job, title: `The job ${one.job} is late.`, subject: one.job, at: one.dueAt }
}

function receiverItem(one: Each<ReportsDependencies['webhooks']['failingReceivers']>): AttentionItem {
  const title = one.isDisabled
    ? `The endpoint ${one.url} is disabled, because it responded with 410.`
    : `The service has stopped retrying deliveries to ${one.url}.`
  return { id: one.id, title, subject: one.url, at: one.since }
}

function bulkActionItem(one: Each<ReportsDependencies['bulkActions']['stopped']>): AttentionItem {
  const title = `The bulk action ${one.action} was stopped, because its requester is no longer allowed to do it.`
  return { id: one.id, title, subject: one.action, at: one.stoppedAt }
}

function ambiguousItem(one: Each<ReportsDependencies['bankTransfers']['ambiguousReturns']>): AttentionItem {
  const amount = `${one.amount.currency} ${one.amount.toString()}`
  const title = `The bank returned ${amount} on ${one.bookedOn} (end-to-end id ${one.endToEndId}) without naming which of several payers.`
  return { id: one.entryId, title, subject: `${amount}, ${one.endToEndId}`, at: one.at }
}

function overdueItem(one: Each<ReportsDependencies['invoices']['overdueInvoices']>): AttentionItem {
  const amount = moneyInSentence(one.amountDue)
  const title = `${amount} of the invoice ${one.number} of ${one.buyerName} was due on ${one.dueDate}.`
  return { id: one.id, title, subject: `${one.number}, ${amount}`, at: one.at }
}

function unmatchedItem(one: Each<ReportsDependencies['bankTransfers']['unmatchedTransfers']>): AttentionItem {
  const amount = moneyInSentence(one.amount)
  const title = `A transfer of ${amount} of ${one.bookedOn} (${one.payer}) pays no invoice yet.`
  return { id: one.entryId, title, subject: `${amount}, ${one.payer}`, at: one.at }
}

function returnedItem(one: Each<ReportsDependencies['bankTransfers']['returnedTransfers']>): AttentionItem {
  const amount = moneyInSentence(one.amount)
  const title = `The bank took a transfer of ${amount} (${one.payer}) back on ${one.bookedOn}.`
  return { id: one.entryId, title, subject: `${amount}, ${one.payer}`, at: one.at }
}

function overpaidItem(one: Each<ReportsDependencies['payments']['overpaidOrders']>): AttentionItem {
  const amount = moneyInSentence(one.overpaid.abs())
  const title = one.overpaid.isNegative()
    ? `Of the order ${one.id}, ${amount} more was given back than was over-paid.`
    : `The order ${one.id} is over-paid by ${amount}.`
  return { id: one.id, title, subject: `${one.id}, ${amount}`, at: one.at }
}

/** A credit note on a paid invoice over-pays its order, too. */
async function overpaidOrders(deps: ReportsDependencies, tx: Tx, since: string) {
  const noted = await deps.invoices.creditedOrders(tx, since, MAX_COUNTED)
  return deps.payments.overpaidOrders(tx, { since, orderIds: noted }, MAX_COUNTED)
}
