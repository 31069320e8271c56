import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'

const invoiceIds = (businessId: string, { uuid }: Pick<Subject, 'uuid'>): Sql => sql`
  select id from invoices where business_id = ${businessId} and customer_uuid = ${uuid}
  union all
  select id from invoice_drafts where business_id = ${businessId} and customer_uuid = ${uuid}`

/** Tax law keeps invoices as they were issued, so an erasure leaves them whole; it removes drafts, which are no documents (reference/personal-data#erasure). */
export const INVOICES_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'invoices',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: () => sql`metadata = null, is_erased = true`,
    }),
    personalRows({
      table: 'invoice_drafts',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: 'delete',
    }),
  ],
  objects: invoiceIds,
}
