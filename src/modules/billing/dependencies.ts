import type { CatalogueRoutes } from '#modules/catalogue'
import type { Customers } from '#modules/customers'
import type { Invoices } from '#modules/invoices'
import type { Payments } from '#modules/payments'
import type { PlansDependencies } from '#modules/plans'

/** - `catalogueRoutes`: Stand between the routes of plans in the API's description. */
export interface BillingDependencies extends PlansDependencies {
  readonly catalogueRoutes: CatalogueRoutes
  readonly customers: Pick<Customers, 'findCustomers' | 'holdCustomers' | 'defaultTokens' | 'renderCustomer'>
  readonly payments: Pick<
    Payments,
    | 'assignInvoices'
    | 'createOrders'
    | 'extendChargeLeases'
    | 'findOrders'
    | 'initiateCharges'
    | 'lockOrdersToCredit'
    | 'ordersOfPlan'
    | 'paymentLink'
    | 'performCharge'
    | 'performWithFallbacks'
    | 'recordFailedCharges'
    | 'recordOutcomes'
    | 'takenReferences'
    | 'voidOrders'
    | 'voidOrdersNow'
  >
  readonly invoices: Pick<Invoices, 'issue' | 'leftOfOrderLines' | 'prepare'>
  readonly maxConcurrentCharges?: number
  readonly leaseRenewalMs?: number
}
