import sql from 'sql-template-tag'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { NOTICES } from '../job-names.ts'

const RULES: Rules = {
  acquirer_notice_will_be_handled: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: NOTICES,
        clock: 'real',
        rows: sql`
          select id as object, due_at from acquirer_notices
           where business_id = ${businessId} and due_at is not null`,
      },
    ]),
  routing_rule_names_an_account: (businessId) => sql`
    select named.id as object, 'a routing rule names it, but there is no such account' as detail
      from routing_rules r
     cross join lateral json_array_elements(r.rules) rule
     cross join lateral (
           select json_array_elements(rule -> 'accounts') ->> 'id' as id
           union select json_array_elements_text(rule -> 'fallback')) named
     where r.business_id = ${businessId} and named.id <> 'simulator'
       and not exists (select from acquirer_accounts a where a.business_id = ${businessId} and a.id = named.id)`,
}

export function verifyAcquirers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
