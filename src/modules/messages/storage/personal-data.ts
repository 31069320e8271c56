import sql from 'sql-template-tag'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'

/** Suppressions stay: they keep what was erased from being mailed again. */
export const MESSAGES_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'messages',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      hidden: ['lease_id', 'leased_until'],
      set: () => sql`
        recipient = null, facts = null, subject = null, html = null, body = null, attachments = null, reached = '{}',
        error = null, due_at = null, state = case t.state when 'queued' then 'dropped' else t.state end`,
    }),
  ],
  objects: (businessId, { uuid }) => sql`
    select id from messages where business_id = ${businessId} and customer_uuid = ${uuid}`,
}
