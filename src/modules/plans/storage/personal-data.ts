import sql, { type Sql } from 'sql-template-tag'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'
import { withoutTexts } from '#platform/personal-data/rewrite'
import { PLAN_NAMES } from './search.repository.ts'

const planIds = (businessId: string, { uuid }: Pick<Subject, 'uuid'>): Sql =>
  sql`select id from recurring_plans where business_id = ${businessId} and customer_uuid = ${uuid}`

export const PLANS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'recurring_plans',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: () =>
        sql`note = null, description = null, cancellation = null, metadata = null, callback_url = null, redirect_url = null, timeout_url = null`,
      rewritten: { name: ['text', withoutTexts], customer_reference_number: ['text', withoutTexts] },
      terms: PLAN_NAMES,
    }),
    personalRows({
      table: 'recurring_cycles',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.plan_id in (${planIds(businessId, subject)})`,
      set: () => sql`description = null`,
    }),
    personalRows({
      table: 'recurring_credits',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.plan_id in (${planIds(businessId, subject)})`,
      set: () => sql`note = null`,
    }),
    personalRows({
      table: 'recurring_items',
      key: sql`t.id`,
      // An item that other customers pay for, too, does not bear this customer's name.
      where: (businessId, subject) => sql`t.id in (
        select item_id from recurring_cycle_items
         where business_id = ${businessId}
         group by item_id
        having bool_and(plan_id in (${planIds(businessId, subject)})))`,
      rewritten: { label: ['text', withoutTexts], description: ['text', withoutTexts] },
    }),
  ],
  objects: planIds,
  blockers: {
    active_plans: (businessId, { uuid }) => sql`
      select id from recurring_plans
       where business_id = ${businessId} and customer_uuid = ${uuid} and state not in ('completed', 'canceled')`,
  },
}
