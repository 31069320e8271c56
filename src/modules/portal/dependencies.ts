import type { Billing } from '#modules/billing'
import type { Businesses } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Invoices } from '#modules/invoices'
import type { Messages } from '#modules/messages'
import type { Payments } from '#modules/payments'
import type { Taxes } from '#modules/taxes'
import type { Database } from '#platform/postgres/database'
import type { WriteAudit } from '#platform/http/routes/write-audit'
import type { Keyring } from '#platform/security/keyring'
import type { Links } from '#platform/security/links'

export interface PortalDependencies {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'derivedKeys'>
  readonly publicUrl: () => string
  readonly links: Pick<Links, 'basePath'>
  readonly audit: WriteAudit
  readonly businesses: Pick<Businesses, 'profile' | 'exists' | 'branding' | 'logo'>
  readonly customers: Pick<
    Customers,
    | 'findCustomers'
    | 'findByEmail'
    | 'findTokens'
    | 'tokensOf'
    | 'bind'
    | 'makeDefault'
    | 'deleteToken'
    | 'renderToken'
    | 'renderTokens'
  >
  readonly taxes: Pick<Taxes, 'billingDetailsOf' | 'editBillingDetails' | 'findByInvoiceEmail'>
  readonly payments: Pick<Payments, 'findOrders' | 'paymentLink' | 'payOrder'>
  readonly invoices: Pick<Invoices, 'byId' | 'ofPage' | 'document'>
  readonly messages: Pick<Messages, 'find' | 'isEnabled' | 'onPortalLink' | 'sendPortalLink'>
  readonly billing: Pick<
    Billing,
    | 'planById'
    | 'plansOfPage'
    | 'changePlan'
    | 'previewChange'
    | 'pause'
    | 'resume'
    | 'cancelAtPeriodEnd'
    | 'uncancel'
    | 'acceptOffer'
    | 'reactivate'
    | 'nextBills'
    | 'findBilledCustomers'
  >
}
