import sql from 'sql-template-tag'
import { type JsonObject, parseJson } from '#kernel/json'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'
import { ERASED } from '#platform/personal-data/rewrite'

export const WEBHOOKS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'deliveries',
      key: sql`t.id`,
      where: (businessId, { objects }) => sql`
        t.event_id in (select e.id from events e where e.business_id = ${businessId} and e.object_id in (${objects}))`,
      // An endpoint's address is the business's own; notify_url and callback_url may name the customer.
      set: () =>
        sql`url = case when t.endpoint_id is null then regexp_replace(t.url, '[?#].*$', '') else t.url end`,
      rewritten: { attempts: ['jsonb', withoutAnswers] },
    }),
  ],
}

/** A receiver may echo any part of the event. */
function withoutAnswers(attempts: string): string {
  const made = parseJson(attempts) as JsonObject[]
  return JSON.stringify(
    made.map((attempt) => ('answer' in attempt ? { ...attempt, answer: ERASED } : attempt)),
  )
}
