import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { CLOCK_ADVANCE } from '../job-names.ts'

export const RULES: Rules = {
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: CLOCK_ADVANCE,
        clock: 'real',
        rows: sql`
          select business_id as object, coalesce(driver_leased_until, now()) as due_at from business_clocks
           where business_id = ${businessId} and advance_to is not null`,
      },
    ]),
}

export function verifySandbox(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
