import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'
import { documentWithoutPerson, ERASED, withoutTexts } from '#platform/personal-data/rewrite'
import { isOneOf } from '#platform/postgres/rows'
import { CARD_TITLES } from './search.repository.ts'

const cardIds = (businessId: string, { names }: Pick<Subject, 'names'>): Sql =>
  sql`select id from cards where business_id = ${businessId} and ${isOneOf(sql`p_user_id`, names)}`

export const CARDS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'cards',
      key: sql`t.id`,
      where: (_, { names }) => isOneOf(sql`t.p_user_id`, names),
      hidden: ['sealed_number'],
      set: () => sql`title = ${ERASED}, business_name = ${ERASED}, status_remark = '', metadata = null`,
      rewritten: { p_user_id: ['text', withoutTexts] },
      terms: CARD_TITLES,
    }),
    personalRows({
      table: 'card_limit_changes',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.card_id in (${cardIds(businessId, subject)})`,
      set: () => sql`remark = ''`,
    }),
    personalRows({
      table: 'card_authorizations',
      key: sql`t.uuid`,
      where: (businessId, subject) => sql`t.card_id in (${cardIds(businessId, subject)})`,
      hidden: ['idempotency_id'],
      set: () => sql`merchant_name = ${ERASED}`,
    }),
    personalRows({
      table: 'card_operations',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.card_id in (${cardIds(businessId, subject)})`,
      rewritten: { response: ['json', documentWithoutPerson] },
    }),
  ],
  objects: cardIds,
  blockers: {
    usable_cards: (businessId, { names }) => sql`
      select id from cards
       where business_id = ${businessId} and ${isOneOf(sql`p_user_id`, names)} and status not in ('Terminated', 'Expired')`,
  },
}
