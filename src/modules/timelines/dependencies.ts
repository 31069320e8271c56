import type { Acquirers } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Disputes } from '#modules/disputes'
import type { Invoices } from '#modules/invoices'
import type { Messages } from '#modules/messages'
import type { Payments } from '#modules/payments'
import type { Billing } from '#modules/billing'
import type { Users } from '#modules/users'
import type { Webhooks } from '#modules/webhooks'
import type { Database } from '#platform/postgres/database'

export interface TimelinesDependencies {
  readonly db: Database
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly users: Pick<Users, 'actorNames'>
  readonly acquirers: Pick<Acquirers, 'noticesAbout'>
  readonly payments: Pick<
    Payments,
    'findOrders' | 'stepsOfOrder' | 'transactions' | 'ordersOfPlan' | 'orderIdsOfCustomer'
  >
  readonly customers: Pick<Customers, 'findCustomers' | 'tokenIdsOf' | 'notesOf'>
  readonly disputes: Pick<Disputes, 'ofOrders'>
  readonly invoices: Pick<Invoices, 'documentsOfOrders'>
  readonly billing: Pick<Billing, 'readPlanSteps' | 'readOrderSteps' | 'planIdsOfCustomer'>
  readonly messages: Pick<Messages, 'messagesOf' | 'messageIdsOfCustomer' | 'awaitedMessages'>
  readonly webhooks: Pick<Webhooks, 'deliveriesOfEvents'>
}
