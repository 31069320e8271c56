import { acquirersModule } from '#modules/acquirers'
import { auditLogModule } from '#modules/audit-log'
import { bankTransfersModule } from '#modules/bank-transfers'
import { billingModule } from '#modules/billing'
import { bulkActionsModule } from '#modules/bulk-actions'
import { businessesModule } from '#modules/businesses'
import { cardsModule } from '#modules/cards'
import { catalogueModule } from '#modules/catalogue'
import { checkoutModule } from '#modules/checkout'
import { consoleModule } from '#modules/console'
import { customersModule } from '#modules/customers'
import { disputesModule } from '#modules/disputes'
import { guideModule } from '#modules/guide'
import { invoicesModule } from '#modules/invoices'
import { messagesModule } from '#modules/messages'
import { paymentsModule } from '#modules/payments'
import { personalDataModule } from '#modules/personal-data'
import { plansModule } from '#modules/plans'
import { portalModule } from '#modules/portal'
import { reconciliationModule } from '#modules/reconciliation'
import { reportsModule } from '#modules/reports'
import { requestLogModule } from '#modules/request-log'
import { sandboxModule } from '#modules/sandbox'
import { searchModule } from '#modules/search'
import { taxesModule } from '#modules/taxes'
import { timelinesModule } from '#modules/timelines'
import { usersModule } from '#modules/users'
import { walletsModule } from '#modules/wallets'
import { webhooksModule } from '#modules/webhooks'
import { eventsModule } from '#platform/events/module'
import { idempotencyModule } from '#platform/idempotency/module'

/**
 * All modules. `compose.ts` connects them, each after those that it uses.
 * - While a clock is advanced, jobs that are due at the same moment run in this order: outcomes of the past come before
 *   anything new.
 * - An erasure goes through them in this order: the logs name objects of those before them.
 */
export const MODULES = [
  businessesModule,
  usersModule,
  acquirersModule,
  customersModule,
  taxesModule,
  paymentsModule,
  disputesModule,
  reconciliationModule,
  invoicesModule,
  bankTransfersModule,
  catalogueModule,
  plansModule,
  billingModule,
  messagesModule,
  cardsModule,
  walletsModule,
  eventsModule,
  webhooksModule,
  requestLogModule,
  auditLogModule,
  searchModule,
  timelinesModule,
  bulkActionsModule,
  personalDataModule,
  reportsModule,
  idempotencyModule,
  checkoutModule,
  portalModule,
  consoleModule,
  guideModule,
  sandboxModule,
] as const

export type ModuleName = (typeof MODULES)[number]['name']
