import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { DELIVERIES } from '../job-names.ts'

export const RULES: Rules = {
  delivery_queue_has_a_head: (businessId) => sql`
    select min(id) as object, count(*) || ' deliveries to ' || min(url) || ' are pending and none is due' as detail
      from deliveries
     where business_id = ${businessId} and state = 'pending' and in_order
     group by object_id, receiver having count(due_at) = 0`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: DELIVERIES,
        rows: sql`
          select id as object, due_at from deliveries where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

export function verifyWebhooks(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
