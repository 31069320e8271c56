import { LookupCache } from '#modules/businesses'
import type { OrdersChangedHandler } from '#modules/payments'
import { defineModule } from '#platform/module'
import { endLeases } from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { renderMessageEvent } from './api/render.ts'
import { messageRoutes } from './api/routes.ts'
import { verifyMessages } from './audit/verify.ts'
import type { MessagesContext, PortalLinkMaker } from './context.ts'
import type { MessagesDependencies } from './dependencies.ts'
import { deliverJob } from './delivery/deliver-job.ts'
import { purgeJob } from './delivery/purge-job.ts'
import { errors } from './errors.ts'
import { MESSAGES } from './job-names.ts'
import { handleExpiringCards } from './make/card-messages.ts'
import { handleIssued } from './make/document-messages.ts'
import { handleOrderChanges } from './make/order-messages.ts'
import { handlePlans } from './make/plan-messages.ts'
import { sendPortalLink } from './make/portal-messages.ts'
import type { MessageKind } from './model/kinds.ts'
import type { MessageSettings } from './model/settings.ts'
import {
  findMessage,
  findMessageIdsOfCustomer,
  findMessagesOf,
  findUndelivered,
  LEASED_MESSAGES,
} from './storage/message.repository.ts'
import { MESSAGES_PERSONAL_DATA } from './storage/personal-data.ts'
import { readSettings, selectSettings } from './storage/settings.repository.ts'
import { awaitedMessages } from './lists/awaited-messages.ts'
import { unsubscribePages } from './unsubscribe/pages.ts'
import { wakeJob } from './wakes/wake-job.ts'
import sql from 'sql-template-tag'

export { MESSAGE_EVENTS } from './api/events.ts'
export type { AwaitedMessage } from './lists/awaited-messages.ts'

export const messagesModule = defineModule({
  name: 'messages',
  errors: errors.catalogue,
  verify: verifyMessages,
  personalData: MESSAGES_PERSONAL_DATA,
  endLeases: endLeases(MESSAGES, LEASED_MESSAGES, sql`due_at`),
  connect: (deps: MessagesDependencies) => {
    const ctx = contextOf(deps)
    return {
      messages: useCasesOf(ctx),
      routes: messageRoutes(ctx),
      pages: unsubscribePages(ctx),
      jobs: [wakeJob(ctx), deliverJob(ctx), purgeJob(ctx)],
    }
  },
})

export type Messages = ReturnType<typeof useCasesOf>

/**
 * What other modules use.
 * - `handleOrderChanges`: Register with `payments.onOrdersChanged`, after the invoices' handler.
 * - `handleIssued`: Register with `invoices.onIssued`.
 * - `handlePlans`: Register with `billing.onPlansSaved`.
 * - `handleExpiringCards`: Register with `customers.onCardsExpiring`.
 * - `sendPortalLink`: Writes the message that leads to a session of the portal.
 */
function useCasesOf(ctx: MessagesContext) {
  const handleOrders: OrdersChangedHandler = (tx, changes) => handleOrderChanges(ctx, tx, changes)
  return {
    handleOrderChanges: handleOrders,
    handleIssued: (tx: Tx, documents: Parameters<typeof handleIssued>[2]) => handleIssued(ctx, tx, documents),
    handlePlans: (tx: Tx, changes: Parameters<typeof handlePlans>[2]) => handlePlans(ctx, tx, changes),
    handleExpiringCards: (tx: Tx, cards: Parameters<typeof handleExpiringCards>[2]) =>
      handleExpiringCards(ctx, tx, cards),
    sendPortalLink: (tx: Tx, link: Parameters<typeof sendPortalLink>[2]) => sendPortalLink(ctx, tx, link),
    isEnabled: async (businessId: string, kind: MessageKind) =>
      (await ctx.settingsOf(businessId)).enabled.includes(kind),
    find: (tx: Tx, id: string) => findMessage(tx, id),
    onPortalLink: (maker: PortalLinkMaker) => void ctx.portalLinkMakers.push(maker),
    messagesOf: findMessagesOf,
    awaitedMessages: (tx: Tx, objectIds: readonly string[]) => awaitedMessages(ctx, tx, objectIds),
    messageIdsOfCustomer: findMessageIdsOfCustomer,
    undelivered: findUndelivered,
  }
}

function contextOf(deps: MessagesDependencies): MessagesContext {
  const settings = new LookupCache<MessageSettings>()
  const domain = () => deps.mailer?.domain ?? new URL(deps.publicUrl()).hostname
  return {
    ...deps,
    domain,
    portalLinkMakers: [],
    settingsOf: (businessId) =>
      settings.get(businessId, async () =>
        readSettings(await deps.db.read(businessId, selectSettings(businessId))),
      ),
    present: { event: (message) => renderMessageEvent(message, domain()) },
  }
}
