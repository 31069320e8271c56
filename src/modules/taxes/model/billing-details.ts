import type { ElectronicAddress } from './electronic-address.ts'
import type { Address, CustomerTaxId } from './party.ts'

export const TAX_EXEMPTIONS = ['none', 'exempt', 'reverse'] as const

export interface BillingDetails {
  readonly customerUuid: string
  readonly address: Address | null
  readonly taxIds: readonly CustomerTaxId[]
  readonly taxExempt: (typeof TAX_EXEMPTIONS)[number]
  readonly exemptReason: string | null
  readonly language: string | null
  readonly invoiceEmail: string | null
  readonly cc: readonly string[] | null
  readonly electronicAddress: ElectronicAddress | null
}

export function noBillingDetails(customerUuid: string): BillingDetails {
  return {
    customerUuid,
    address: null,
    taxIds: [],
    taxExempt: 'none',
    exemptReason: null,
    language: null,
    invoiceEmail: null,
    cc: null,
    electronicAddress: null,
  }
}
