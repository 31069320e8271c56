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
