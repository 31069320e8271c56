import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'

const entryIds = (businessId: string, { uuid }: Pick<Subject, 'uuid'>): Sql => sql`
  select entry_id as id from bank_entry_matches where business_id = ${businessId} and customer_uuid = ${uuid}`

/**
 * Covers credits and their returns. What identifies an entry stays, so that importing its statement again does not restore
 * the entry.
 */
export const BANK_TRANSFERS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'bank_entries',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.id in (
        ${entryIds(businessId, subject)}
        union all
        select returned_by from bank_entries where business_id = ${businessId} and id in (${entryIds(businessId, subject)}))`,
      hidden: ['identity'],
      set: () =>
        sql`debtor_name = null, debtor_iban = null, end_to_end_id = null, remittance = '', returned_to = null`,
    }),
    personalRows({
      table: 'bank_entry_matches',
      key: sql`t.transaction_id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
    }),
    personalRows({
      table: 'write_offs',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: () => sql`reason = ''`,
    }),
  ],
  objects: entryIds,
}
