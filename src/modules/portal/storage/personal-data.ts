import sql from 'sql-template-tag'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'

export const PORTAL_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'portal_sessions',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: 'delete',
    }),
    // It keeps a plan from having a second offer, and says nothing of a person.
    personalRows({
      table: 'portal_offers',
      key: sql`t.plan_id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
    }),
  ],
}
