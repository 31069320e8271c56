import sql from 'sql-template-tag'
import { type PersonalData, personalRows } from '#platform/personal-data/personal-data'
import { jsonWithoutTexts, withoutTexts } from '#platform/personal-data/rewrite'

/** Filters and notes may name a customer. */
export const BULK_ACTIONS_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      ...personalRows({
        table: 'bulk_actions',
        key: sql`t.id`,
        where: () => sql`t.state in ('completed', 'canceled')`,
        rewritten: { filter: ['text', withoutTexts], options: ['json', jsonWithoutTexts] },
      }),
      read: async () => ({ rows: [], next: null }),
    },
  ],
}
