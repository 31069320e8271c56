import sql from 'sql-template-tag'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { BULK_ACTIONS } from '../job-names.ts'

const RULES: Rules = {
  bulk_action_counts_its_items: (businessId) => sql`
    select a.id as object, a.state || ', ' || a.total || ' in all, ' || a.succeeded || ' succeeded, ' || a.failed
           || ' failed, ' || coalesce(i.pending, 0) || ' pending' as detail
      from bulk_actions a
      left join (select action_id, count(*) filter (where state = 'pending') as pending
                   from bulk_action_items where business_id = ${businessId} group by action_id) i on i.action_id = a.id
     where a.business_id = ${businessId} and a.state <> 'canceled'
       and (a.total <> a.succeeded + a.failed + coalesce(i.pending, 0)
            or (a.state in ('completed', 'stopped')) <> (a.due_at is null))`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: BULK_ACTIONS,
        clock: 'real',
        rows: sql`select id as object, due_at from bulk_actions where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

export function verifyBulkActions(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
