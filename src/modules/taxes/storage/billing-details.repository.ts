import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { computed, json, table } from '#platform/postgres/table'
import type { BillingDetails } from '../model/billing-details.ts'

const DETAILS = table<BillingDetails>('billing_details', {
  customerUuid: 'text',
  address: json(),
  taxIds: json(),
  taxExempt: 'text',
  exemptReason: 'text',
  language: 'text',
  invoiceEmail: 'text',
  cc: computed('cc', 'billing_details.cc'),
  electronicAddress: json(),
})

export async function findBillingDetails(
  tx: Tx,
  customerUuids: readonly string[],
): Promise<ReadonlyMap<string, BillingDetails>> {
  if (customerUuids.length === 0) return new Map()
  const rows = await tx.query(sql`
    select ${DETAILS.columns} from billing_details
     where business_id = ${tx.businessId} and ${isOneOf(sql`customer_uuid`, [...new Set(customerUuids)])}`)
  return new Map(rows.map(DETAILS.read).map((details) => [details.customerUuid, details]))
}

export async function saveBillingDetails(tx: Tx, details: BillingDetails): Promise<void> {
  const at = toRfc3339(tx.now)
  // An address holds no quotes.
  const cc = details.cc && `{${details.cc.map((address) => `"${address}"`).join(',')}}`
  await tx.execute(sql`
    insert into billing_details ${DETAILS.values(tx.businessId, [details], { cc, created_at: at, updated_at: at })}
    on conflict (business_id, customer_uuid) do update
       set address = excluded.address, tax_ids = excluded.tax_ids, tax_exempt = excluded.tax_exempt,
           exempt_reason = excluded.exempt_reason, language = excluded.language,
           invoice_email = excluded.invoice_email, cc = excluded.cc, electronic_address = excluded.electronic_address,
           updated_at = excluded.updated_at`)
}

/** The customers whose invoices go to this address, as it is written or in lower case: by uuid, as it is stored. */
export async function findByInvoiceEmail(
  tx: Tx,
  email: string,
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ uuid: string; address: string }>(sql`
    select customer_uuid as uuid, invoice_email as address from billing_details
     where business_id = ${tx.businessId} and ${isOneOf(sql`invoice_email`, [email, email.toLowerCase()])}
     limit ${limit}`)
  return new Map(rows.map(({ uuid, address }) => [uuid, address]))
}
