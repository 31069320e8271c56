import sql from 'sql-template-tag'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { ERASURES, RETENTION } from '../job-names.ts'

export const RULES: Rules = {
  erased_customer_has_an_erasure: (businessId) => sql`
    select c.uuid as object, 'is marked as erased, and no erasure is recorded' as detail
      from customers c
     where c.business_id = ${businessId} and c.erased_at is not null
       and not exists (select from erasures e where e.business_id = ${businessId} and e.customer_uuid = c.uuid)`,
  completed_erasure_left_nothing: (businessId) => sql`
    select c.uuid as object, 'erasure ' || e.id || ' is completed, and the customer still has personal data' as detail
      from erasures e
      join customers c on c.business_id = ${businessId} and c.uuid = e.customer_uuid
     where e.business_id = ${businessId} and e.state = 'completed'
       and (c.email is not null or c.phone <> '' or c.metadata is not null or c.erased_at is null
            or c.reference_number <> 'erased-' || c.uuid or e.texts is not null)`,
  // Reads tables of payments and plans. An order that was paid may be open again after an erasure, because its payment failed later.
  nothing_is_made_for_erased_customers: (businessId) => sql`
    select o.id as object, 'is open, was never paid, and its customer ' || c.uuid || ' is erased' as detail
      from customers c
      join orders o on o.business_id = ${businessId} and o.customer_uuid = c.uuid and o.state = 'open' and o.void_mode is null
     where c.business_id = ${businessId} and c.erased_at is not null
       and not exists (select from transactions t
                        where t.business_id = ${businessId} and t.order_id = o.id
                          and (t.succeeded_at is not null or t.decline_code = 'failed_later'))
     union all
    select p.id, 'is ' || p.state || ', and its customer ' || c.uuid || ' is erased'
      from customers c
      join recurring_plans p on p.business_id = ${businessId} and p.customer_uuid = c.uuid
     where c.business_id = ${businessId} and c.erased_at is not null and p.state in ('upcoming', 'active', 'paused')`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: ERASURES,
        clock: 'real',
        rows: sql`select id as object, due_at from erasures where business_id = ${businessId} and due_at is not null`,
      },
      {
        name: RETENTION,
        clock: 'real',
        rows: sql`
          select business_id as object, due_at from retention_settings
           where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

export function verifyPersonalData(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
