import type { Billing } from '#modules/billing'
import type { Businesses } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Invoices } from '#modules/invoices'
import type { Payments } from '#modules/payments'
import type { EventLog } from '#platform/events/events'
import type { Mailer } from '#platform/mail/mailer'
import type { Log } from '#platform/observability/log'
import type { Database } from '#platform/postgres/database'
import type { Links } from '#platform/security/links'

/**
 * - `emailOfUser`: Of a user of the console.
 * - `mailer`: Without one, nothing can be sent: messages that are not kept wait a day and fail.
 */
export interface MessagesDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: Pick<Businesses, 'profile' | 'branding'>
  readonly customers: Pick<Customers, 'findCustomers' | 'findTokens' | 'defaultTokens'>
  readonly payments: Pick<Payments, 'findOrders' | 'paymentLink'>
  readonly invoices: Pick<Invoices, 'documentsOfOrders' | 'findDocument' | 'drawPdf'>
  readonly billing: Pick<Billing, 'activePlanIds' | 'nextBills'>
  readonly links: Pick<Links, 'make' | 'read' | 'pathOf' | 'basePath'>
  readonly publicUrl: () => string
  readonly emailOfUser: (userId: string) => Promise<string | undefined>
  readonly mailer?: Mailer | undefined
  readonly log: Log
}
