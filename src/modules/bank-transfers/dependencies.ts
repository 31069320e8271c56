import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Invoices } from '#modules/invoices'
import type { Payments } from '#modules/payments'
import type { EventLog } from '#platform/events/events'
import type { Database } from '#platform/postgres/database'

export interface BankTransfersDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomersByTexts'>
  readonly payments: Pick<
    Payments,
    'duesOf' | 'lockOrdersForTransfers' | 'openOrdersOfTotals' | 'transactions'
  >
  readonly invoices: Pick<
    Invoices,
    | 'findNamedInvoices'
    | 'findOpenInvoicesOf'
    | 'findPayableInvoices'
    | 'findSuggestableInvoices'
    | 'findWriteOffs'
    | 'numberLengths'
    | 'readPayers'
    | 'readSettlements'
    | 'requirePayable'
    | 'view'
  >
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
}
