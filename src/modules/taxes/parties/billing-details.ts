import { customerErrors, requireCustomer } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { askForTaxId } from '../engine/ask-engine.ts'
import { type BillingDetails, noBillingDetails } from '../model/billing-details.ts'
import { type CustomerTaxId, isVatId, type TaxId } from '../model/party.ts'
import type { BillingDetailsEdit } from '../model/party-requests.ts'
import { findBillingDetails, saveBillingDetails } from '../storage/billing-details.repository.ts'
import { readAddress } from './read-address.ts'
import { readElectronicAddress } from './read-electronic-address.ts'
import { checkCountries, readTaxId } from './tax-id.ts'

const KIND = 'billing_details'

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
    await requireKnown(ctx, tx, customerUuid)
    return storedDetails(tx, customerUuid)
  })
}

async function requireKnown(ctx: TaxesContext, tx: Tx, uuid: string): Promise<void> {
  const customers = await ctx.customers.findCustomers(tx, [uuid])
  if (!customers.has(uuid)) throw customerErrors.customer_not_found()
}

export async function editBillingDetails(
  ctx: TaxesContext,
  caller: Caller,
  customerUuid: string,
  edit: BillingDetailsEdit,
): Promise<BillingDetails> {
  const states = await askedStates(ctx, caller, customerUuid, edit.tax_ids ?? [])
  return once(ctx.db, caller, async (tx) => {
    requireCustomer(await ctx.customers.lockCustomer(tx, customerUuid))
    const before = await storedDetails(tx, customerUuid)
    const details: BillingDetails = {
      customerUuid,
      address: edit.address === undefined ? before.address : edit.address && readAddress(edit.address, KIND),
      taxIds: edit.tax_ids === undefined ? before.taxIds : readTaxIds(edit.tax_ids, before.taxIds, states),
      taxExempt: edit.tax_exempt ?? before.taxExempt,
      exemptReason: edit.exempt_reason === undefined ? before.exemptReason : edit.exempt_reason,
      language: edit.language === undefined ? before.language : edit.language,
      invoiceEmail: edit.invoice_email === undefined ? before.invoiceEmail : edit.invoice_email,
      cc: edit.cc === undefined ? before.cc : edit.cc.length === 0 ? null : edit.cc,
      electronicAddress:
        edit.electronic_address === undefined
          ? before.electronicAddress
          : edit.electronic_address && readElectronicAddress(edit.electronic_address, KIND),
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

/** Asks the tax engine about VAT ids that are new, before anything is locked. */
async function askedStates(
  ctx: TaxesContext,
  { businessId }: Caller,
  customerUuid: string,
  taxIds: readonly TaxId[],
): Promise<ReadonlyMap<string, CustomerTaxId['state']>> {
  if (taxIds.length === 0) return new Map()
  const { taxIds: known } = await ctx.db.transact(businessId, async (tx) => {
    await requireKnown(ctx, tx, customerUuid)
    return storedDetails(tx, customerUuid)
  })
  const vatIds = taxIds.map((taxId, index) => readTaxId(taxId, paramOf(index))).filter(isVatId)
  const isNew = (value: string) => !known.some((taxId) => isVatId(taxId) && taxId.value === value)
  const asked = [...new Set(vatIds.map(({ value }) => value))].filter(isNew)
  const states = await Promise.all(asked.map((value) => askForTaxId(ctx, businessId, value)))
  return new Map(asked.map((value, index) => [value, states[index] ?? 'unverified']))
}

function paramOf(index: number): string {
  return `${KIND}.tax_ids[${index}].value`
}

function readTaxIds(
  taxIds: readonly TaxId[],
  before: readonly CustomerTaxId[],
  states: ReadonlyMap<string, CustomerTaxId['state']>,
): CustomerTaxId[] {
  return taxIds.map((taxId, index) => {
    const { type, value } = readTaxId(taxId, paramOf(index))
    const known = before.find((stored) => stored.type === type && stored.value === value)
    const asked = type === 'vat' ? states.get(value) : undefined
    return { type, value, state: known?.state ?? asked ?? 'unverified' }
  })
}
