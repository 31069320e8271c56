import type { Acquirers } from '#modules/acquirers'
import type { Businesses } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Invoices } from '#modules/invoices'
import type { Billing } from '#modules/billing'
import type { Database } from '#platform/postgres/database'
import type { Mailer } from '#platform/mail/mailer'
import type { Keyring } from '#platform/security/keyring'
import type { Links } from '#platform/security/links'
import type { Log } from '#platform/observability/log'

export interface CheckoutDependencies {
  readonly db: Database
  readonly log: Log
  readonly links: Pick<Links, 'read' | 'make' | 'addressOf' | 'pathOf' | 'basePath'>
  readonly payments: Pick<
    Payments,
    | 'orderForLink'
    | 'paymentLink'
    | 'initiateCharges'
    | 'performWithFallbacks'
    | 'recordOutcomes'
    | 'findOrders'
    | 'refreshStatus'
    | 'cancelPending'
  >
  readonly customers: Pick<
    Customers,
    | 'viewVerification'
    | 'bind'
    | 'addVerifiedToken'
    | 'findPayer'
    | 'listCards'
    | 'findCustomers'
    | 'findTokens'
    | 'readSession'
  >
  readonly acquirers: Pick<Acquirers, 'offer' | 'connected'>
  readonly invoices: Pick<Invoices, 'transferDetails'>
  readonly billing: Pick<Billing, 'owesPayment'>
  readonly businesses: Pick<Businesses, 'profile' | 'branding' | 'logo'>
  readonly keyring: Pick<Keyring, 'derivedKeys'>
  /** Without one, no code can be sent, and saved cards are shown to payers of customer sessions only. */
  readonly mailer?: Mailer | undefined
}
