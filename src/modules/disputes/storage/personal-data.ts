import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'

const disputeIds = (businessId: string, { uuid }: Pick<Subject, 'uuid'>): Sql => sql`
  select id from disputes
   where business_id = ${businessId}
     and order_id in (select id from orders where business_id = ${businessId} and customer_uuid = ${uuid})`

export const DISPUTES_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'disputes',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.id in (${disputeIds(businessId, subject)})`,
    }),
    personalRows({
      table: 'dispute_evidence',
      key: sql`t.dispute_id || ' ' || t.name`,
      where: (businessId, subject) => sql`t.dispute_id in (${disputeIds(businessId, subject)})`,
      set: 'delete',
    }),
  ],
  objects: disputeIds,
  blockers: {
    open_disputes: (businessId, subject) => sql`
      select id from disputes
       where business_id = ${businessId} and id in (${disputeIds(businessId, subject)})
         and state not in ('inquiry_closed', 'won', 'lost')`,
  },
}
