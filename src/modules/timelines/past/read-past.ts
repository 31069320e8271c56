import { type Instant, isAfter } from '#kernel/clock'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Dispute } from '#modules/disputes'
import type { OrderDocument } from '#modules/invoices'
import type { OrderWithTransactions, Transaction } from '#modules/payments'
import { newestEvents } from '#platform/events/event-history'
import type { Scope } from '#platform/http/routes/route'
import type { Tx } from '#platform/postgres/database'
import type { TimelinesDependencies } from '../dependencies.ts'
import {
  entryOfEvent,
  entryOfNote,
  entryOfNotice,
  entryOfSending,
  readEvent,
  type ReadEvent,
} from './entries.ts'
import type { PastEntry } from './past-entry.ts'
import { isOnPage, pageOf, type PageOfTimeline, type PastPage } from './past-page.ts'

/**
 * How many orders of a plan have their events merged into a page. A plan that bills daily makes this many in almost
 * three years.
 */
const MAX_ORDERS = 1_000
/** The newest messages, whose events are merged into a page. */
const MAX_MESSAGES = 500

export async function pastOfOrder(
  deps: TimelinesDependencies,
  tx: Tx,
  {
    order,
    transactions,
    disputes,
    documents,
  }: OrderWithTransactions & {
    readonly disputes: readonly Dispute[]
    readonly documents: readonly OrderDocument[]
  },
  page: PageOfTimeline,
): Promise<PastPage<PastEntry>> {
  const objects = [order.id, ...[...disputes, ...documents].map(({ id }) => id)]
  const messages = await deps.messages.messagesOf(tx, objects, MAX_MESSAGES)
  const [events, notices] = await Promise.all([
    readEvents(tx, [...objects, ...messages.map(({ id }) => id)], page),
    noticeEntries(deps, tx, transactions),
  ])
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  const beside = [...transactions.flatMap((one) => entryOfSending(one) ?? []), ...notices]
  return pageOf(
    [...events.map((event) => entryOfEvent(event, byId)), ...beside.filter((entry) => isOnPage(entry, page))],
    page,
  )
}

interface PlanToRead {
  readonly id: string
  readonly lastSuffix: number
  readonly referenceOf: (suffix: number) => string
}

export async function pastOfPlan(
  deps: TimelinesDependencies,
  tx: Tx,
  plan: PlanToRead,
  page: PageOfTimeline,
): Promise<PastPage<PastEntry>> {
  const newest = Math.min(page.after?.suffix ?? plan.lastSuffix, plan.lastSuffix)
  const suffixes = Array.from({ length: Math.min(newest, MAX_ORDERS) }, (_, index) => newest - index)
  const suffixOf = new Map(suffixes.map((suffix) => [plan.referenceOf(suffix), suffix]))
  const orders =
    suffixes.length === 0 ? [] : await deps.payments.ordersOfPlan(tx, plan.id, [...suffixOf.keys()])
  const orderIds = orders.map(({ id }) => id)
  const [disputes, documents] = await Promise.all([
    deps.disputes.ofOrders(tx, orderIds),
    deps.invoices.documentsOfOrders(tx, orderIds),
  ])
  const besideOrders = [...disputes, ...documents].map(({ id }) => id)
  const objects = [plan.id, ...orderIds, ...besideOrders]
  const messages = await deps.messages.messagesOf(tx, objects, MAX_MESSAGES)
  const events = await readEvents(tx, [...objects, ...messages.map(({ id }) => id)], page)
  const suffixAt = (at: Instant): number =>
    Math.max(
      0,
      ...orders.flatMap(({ reference, createdAt }) =>
        isAfter(createdAt, at) ? [] : (suffixOf.get(reference) ?? []),
      ),
    )
  return pageOf(await entriesOf(deps, tx, events), page, suffixAt)
}

/** The newest orders, plans, tokens and messages of a customer whose events are merged into a page. */
const MAX_OF_CUSTOMER = { orders: 500, plans: 100, tokens: 100, messages: MAX_MESSAGES }

export async function pastOfCustomer(
  deps: TimelinesDependencies,
  tx: Tx,
  { uuid, may }: { readonly uuid: string; readonly may: (scope: Scope) => boolean },
  page: PageOfTimeline,
): Promise<PastPage<PastEntry>> {
  const { payments, billing, customers, messages, disputes, invoices } = deps
  const limitedTo = <Found>(scope: Scope, read: () => Promise<readonly Found[]>) =>
    may(scope) ? read() : Promise.resolve([])
  const [orders, plans, tokens, mails, notes] = await Promise.all([
    payments.orderIdsOfCustomer(tx, uuid, { until: page.after?.at, limit: MAX_OF_CUSTOMER.orders }),
    limitedTo('recurring:read', () => billing.planIdsOfCustomer(tx, uuid, MAX_OF_CUSTOMER.plans)),
    customers.tokenIdsOf(tx, uuid, MAX_OF_CUSTOMER.tokens),
    limitedTo('billing:read', () => messages.messageIdsOfCustomer(tx, uuid, MAX_OF_CUSTOMER.messages)),
    customers.notesOf(tx, uuid, page.after, page.limit + 1),
  ])
  const [disputed, documents] = await Promise.all([
    limitedTo('payments:read', () => disputes.ofOrders(tx, orders)),
    limitedTo('billing:read', () => invoices.documentsOfOrders(tx, orders)),
  ])
  const objects = [
    uuid,
    ...(may('payments:read') ? orders : []),
    ...plans,
    ...tokens,
    ...mails,
    ...[...disputed, ...documents].map(({ id }) => id),
  ]
  const events = await readEvents(tx, objects, page)
  const entries = await entriesOf(deps, tx, events)
  return pageOf(
    [...entries, ...notes.map(entryOfNote)].filter((entry) => isOnPage(entry, page)),
    page,
  )
}

async function entriesOf(
  { payments }: TimelinesDependencies,
  tx: Tx,
  events: readonly ReadEvent[],
): Promise<PastEntry[]> {
  const uuids = [...new Set(events.flatMap(({ transactionUuid }) => transactionUuid ?? []))]
  const transactions = uuids.length === 0 ? new Map() : await payments.transactions(tx, uuids)
  return events.map((event) => entryOfEvent(event, transactions))
}

async function readEvents(
  tx: Tx,
  objectIds: readonly string[],
  { after, limit }: PageOfTimeline,
): Promise<ReadEvent[]> {
  const before = after && { at: after.at, id: `evt_${after.place}` }
  const events = await newestEvents(tx, objectIds, { before, limit: limit + 1 })
  const read = events.map(readEvent)
  return read.map((event, index) => {
    if (event.type !== 'plan.changed') return event
    const earlier = read.slice(index + 1).find(({ object_id: id }) => id === event.object_id)
    return { ...event, before: earlier?.document }
  })
}

async function noticeEntries(
  { acquirers }: TimelinesDependencies,
  tx: Tx,
  transactions: readonly Transaction[],
): Promise<PastEntry[]> {
  const outside = transactions.filter(({ acquirerAccountId: id }) => id !== SIMULATOR_ACCOUNT)
  const ofAccounts = Map.groupBy(outside, ({ acquirerAccountId }) => acquirerAccountId)
  const entries = [...ofAccounts].map(async ([accountId, ofAccount]) => {
    const keys = ofAccount.map(({ id }) => id)
    const references = ofAccount.flatMap(({ answer }) => answer.gatewayTransactionId || [])
    const notices = await acquirers.noticesAbout(tx, accountId, { keys, references })
    return notices.flatMap((notice) => {
      const { key, reference } = notice.subject
      const about =
        ofAccount.find(({ id }) => id === key) ??
        ofAccount.find(({ answer }) => answer.gatewayTransactionId === reference)
      return about === undefined ? [] : [entryOfNotice(notice, about)]
    })
  })
  return (await Promise.all(entries)).flat()
}
