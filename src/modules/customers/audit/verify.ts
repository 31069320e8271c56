import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { objectsWithoutTerms } from '#platform/search/term-index'
import { BINDING_INQUIRIES, CARD_EXPIRY_NOTICES, FAILED_TOKEN_PURGE } from '../job-names.ts'
import { CUSTOMER_TERMS } from '../storage/customer-search.repository.ts'
import { KEPT_FAILED_DAYS } from '../model/payment-token.ts'

export const RULES: Rules = {
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: BINDING_INQUIRIES,
        rows: sql`
          select token as object, due_at from payment_tokens
           where business_id = ${businessId} and due_at is not null`,
      },
      {
        name: FAILED_TOKEN_PURGE,
        rows: sql`
          select token as object, updated_at + ${KEPT_FAILED_DAYS}::int * interval '24 hours' as due_at
            from payment_tokens
           where business_id = ${businessId} and state = 'failed'`,
      },
      {
        name: CARD_EXPIRY_NOTICES,
        rows: sql`
          select token as object, expiry_notice_at as due_at from payment_tokens
           where business_id = ${businessId} and expiry_notice_at is not null`,
      },
    ]),
  customers_have_their_terms: (businessId) => objectsWithoutTerms(CUSTOMER_TERMS, businessId),
}

export function verifyCustomers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
