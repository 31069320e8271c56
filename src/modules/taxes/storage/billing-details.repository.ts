import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { BillingDetails } from '../model/billing-details.ts'
import type { Address, CustomerTaxId } from '../model/party.ts'

interface DetailsRow {
  customer_uuid: string
  address: string | null
  tax_ids: string
  tax_exempt: BillingDetails['taxExempt']
  exempt_reason: string | null
  language: string | null
  invoice_email: string | null
}

export async function findBillingDetails(
  tx: Tx,
  customerUuids: readonly string[],
): Promise<ReadonlyMap<string, BillingDetails>> {
  if (customerUuids.length === 0) return new Map()
  const rows = await tx.query<DetailsRow>(sql`
    select customer_uuid, address::text, tax_ids::text, tax_exempt, exempt_reason, language, invoice_email
      from billing_details
     where business_id = ${tx.businessId} and ${isOneOf(sql`customer_uuid`, [...new Set(customerUuids)])}`)
  return new Map(rows.map((row) => [row.customer_uuid, toDetails(row)]))
}

export async function saveBillingDetails(tx: Tx, details: BillingDetails): Promise<void> {
  const { address } = details
  const at = toRfc3339(tx.now)
  await tx.execute(sql`
    insert into billing_details (business_id, customer_uuid, address, tax_ids, tax_exempt, exempt_reason, language,
                                 invoice_email, created_at, updated_at)
    values (${tx.businessId}, ${details.customerUuid}, ${address && JSON.stringify(address)}::text::jsonb,
            ${JSON.stringify(details.taxIds)}::text::jsonb, ${details.taxExempt}, ${details.exemptReason},
            ${details.language}, ${details.invoiceEmail}, ${at}, ${at})
    on conflict (business_id, customer_uuid) do update
       set address = excluded.address, tax_ids = excluded.tax_ids, tax_exempt = excluded.tax_exempt,
           exempt_reason = excluded.exempt_reason, language = excluded.language,
           invoice_email = excluded.invoice_email, updated_at = excluded.updated_at`)
}

function toDetails(row: DetailsRow): BillingDetails {
  return {
    customerUuid: row.customer_uuid,
    address: row.address === null ? null : (JSON.parse(row.address) as Address),
    taxIds: JSON.parse(row.tax_ids) as CustomerTaxId[],
    taxExempt: row.tax_exempt,
    exemptReason: row.exempt_reason,
    language: row.language,
    invoiceEmail: row.invoice_email,
  }
}
