import sql from 'sql-template-tag'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'

export const TAXES_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'billing_details',
      key: sql`t.customer_uuid`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: 'delete',
    }),
  ],
}
