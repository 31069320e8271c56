import sql from 'sql-template-tag'
import { namesCustomer } from '#platform/personal-data/names-customer'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'
import { jsonWithoutTexts, withoutTexts } from '#platform/personal-data/rewrite'

/** Filters and notes may name a customer, and the events of what was done have the request of the action. */
export const BULK_ACTIONS_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      ...personalRows({
        table: 'bulk_actions',
        key: sql`t.id`,
        where: (businessId, subject) => sql`
          t.state in ('completed', 'canceled', 'stopped')
          and (${namesCustomer(sql`coalesce(t.filter, '')`, subject)}
               or t.caller ->> 'requestId' in (
                  select e.request_id from events e
                   where e.business_id = ${businessId} and e.object_id in (${subject.objects})))`,
        rewritten: { filter: ['text', withoutTexts], options: ['json', jsonWithoutTexts] },
      }),
      read: async () => ({ rows: [], next: null }),
    },
  ],
}
