import { customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { type BillingDetails, noBillingDetails } from '../model/billing-details.ts'
import type { CustomerTaxId, TaxId } from '../model/party.ts'
import { findBillingDetails, saveBillingDetails } from '../storage/billing-details.repository.ts'
import { type AddressMembers, readAddress } from './read-legal-entity.ts'
import { checkCountries, readVatId } from './vat-id.ts'

export interface BillingDetailsEdit {
  readonly address?: AddressMembers | null
  readonly tax_ids?: readonly TaxId[]
  readonly tax_exempt?: BillingDetails['taxExempt']
  readonly exempt_reason?: string | null
  readonly language?: string | null
  readonly invoice_email?: string | null
}

const KIND = 'billing_details'

/** Billing details by customer uuid. A customer without any is left out. */
export function billingDetails(
  tx: Tx,
  customerUuids: readonly string[],
): Promise<ReadonlyMap<string, BillingDetails>> {
  return findBillingDetails(tx, customerUuids)
}

export function billingDetailsOf(
  ctx: TaxesContext,
  { businessId }: Caller,
  customerUuid: string,
): Promise<BillingDetails> {
  return ctx.db.transact(businessId, async (tx) => {
    const customers = await ctx.customers.findCustomers(tx, [customerUuid])
    if (!customers.has(customerUuid)) throw customerErrors.customer_not_found()
    return storedDetails(tx, customerUuid)
  })
}

export function editBillingDetails(
  ctx: TaxesContext,
  caller: Caller,
  customerUuid: string,
  edit: BillingDetailsEdit,
): Promise<BillingDetails> {
  return once(ctx.db, caller, async (tx) => {
    const customer = await ctx.customers.lockCustomer(tx, customerUuid)
    if (customer === null) throw customerErrors.customer_not_found()
    if (customer.erasedAt !== null) throw customerErrors.customer_erased()
    const before = await storedDetails(tx, customerUuid)
    const details: BillingDetails = {
      customerUuid,
      address: edit.address === undefined ? before.address : edit.address && readAddress(edit.address),
      taxIds: edit.tax_ids === undefined ? before.taxIds : readTaxIds(edit.tax_ids, before.taxIds),
      taxExempt: edit.tax_exempt ?? before.taxExempt,
      exemptReason: edit.exempt_reason === undefined ? before.exemptReason : edit.exempt_reason,
      language: edit.language === undefined ? before.language : edit.language,
      invoiceEmail: edit.invoice_email === undefined ? before.invoiceEmail : edit.invoice_email,
    }
    checkCountries(details.taxIds, details.address?.country, `${KIND}.tax_ids`)
    await saveBillingDetails(tx, details)
    return details
  })
}

async function storedDetails(tx: Tx, customerUuid: string): Promise<BillingDetails> {
  const found = await findBillingDetails(tx, [customerUuid])
  return found.get(customerUuid) ?? noBillingDetails(customerUuid)
}

function readTaxIds(taxIds: readonly TaxId[], before: readonly CustomerTaxId[]): CustomerTaxId[] {
  return taxIds.map(({ type, value }, index) => {
    const stored = readVatId(value, `${KIND}.tax_ids[${index}].value`)
    const known = before.find((taxId) => taxId.value === stored)
    return { type, value: stored, state: known?.state ?? 'unverified' }
  })
}
