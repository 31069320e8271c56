import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutHead } from '#platform/jobs/verify-jobs'
import { BINDING_INQUIRIES } from '../job-kinds.ts'

export const RULES: Rules = {
  due_work_has_a_head: (businessId) =>
    dueWithoutHead(businessId, [
      {
        name: BINDING_INQUIRIES,
        rows: sql`
          select token as object, due_at from payment_tokens
           where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

/** Tokens whose binding is open are asked about. */
export function verifyCustomers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
