import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { objectsWithoutTerms } from '#platform/search/term-index'
import { AGREEMENT_ENDS, BINDING_INQUIRIES, CARD_EXPIRY_NOTICES, FAILED_TOKEN_PURGE } from '../job-names.ts'
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
        name: AGREEMENT_ENDS,
        rows: sql`
          select token as object, agreement_end_at as due_at from payment_tokens
           where business_id = ${businessId} and agreement_end_at is not null`,
      },
      {
        name: CARD_EXPIRY_NOTICES,
        rows: sql`
          select token as object, expiry_notice_at as due_at from payment_tokens
           where business_id = ${businessId} and expiry_notice_at is not null`,
      },
    ]),
  deleted_agreements_end_at_their_acquirer: (businessId) => sql`
    select token as object, 'its agreement is to be ended, but the token is ' || state as detail from payment_tokens
     where business_id = ${businessId} and agreement_end_at is not null and state <> 'deleted'`,
  customers_have_their_terms: (businessId) => objectsWithoutTerms(CUSTOMER_TERMS, businessId),
}

export function verifyCustomers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}
