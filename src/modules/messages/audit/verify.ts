import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'

const RULES: Rules = {
  message_is_due_while_queued: (businessId) => sql`
    select id as object, 'it is queued, and nothing will send it' as detail
      from messages
     where business_id = ${businessId} and state = 'queued' and due_at is null`,
  message_is_sent_once_accepted: (businessId) => sql`
    select id as object, 'its recipient has it, and its state is ' || state as detail
      from messages
     where business_id = ${businessId} and state in ('queued', 'failed', 'kept') and recipient = any(reached)`,
  sent_message_has_its_time: (businessId) => sql`
    select id as object, 'it was sent at no time' as detail
      from messages
     where business_id = ${businessId} and state = 'sent' and sent_at is null`,
  receipt_belongs_to_a_paid_order: (businessId) => sql`
    select m.id as object, 'its order ' || m.object_id || ' was never paid' as detail
      from messages m
      left join orders o on o.business_id = ${businessId} and o.id = m.object_id
     where m.business_id = ${businessId} and m.kind = 'receipt'
       and (o.id is null or not exists (
             select from transactions t
              where t.business_id = ${businessId} and t.order_id = o.id and t.succeeded_at is not null))`,
  document_of_message_exists: (businessId) => sql`
    select m.id as object, 'the document ' || m.object_id || ' does not exist' as detail
      from messages m
      left join invoices i on i.business_id = ${businessId} and i.id = m.object_id
     where m.business_id = ${businessId} and m.kind in ('invoice', 'credit_note') and i.id is null`,
}

export function verifyMessages(db: Database): Verification {
  return async function* messages(businessId) {
    yield* brokenRules(db, businessId, RULES)
  }
}
