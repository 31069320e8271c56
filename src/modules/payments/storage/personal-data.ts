import sql, { type Sql } from 'sql-template-tag'
import { type JsonObject, parseJson } from '#kernel/json'
import { type PersonalData, personalRows, type Subject } from '#platform/personal-data/personal-data'
import { ERASED, jsonWithoutTexts, withoutTexts } from '#platform/personal-data/rewrite'

const orderIds = (businessId: string, { uuid }: Pick<Subject, 'uuid'>): Sql =>
  sql`select id from orders where business_id = ${businessId} and customer_uuid = ${uuid}`

const transactionIds = (businessId: string, subject: Pick<Subject, 'uuid'>): Sql => sql`
  select id from transactions where business_id = ${businessId} and order_id in (${orderIds(businessId, subject)})`

export const PAYMENTS_PERSONAL_DATA: PersonalData = {
  sources: [
    personalRows({
      table: 'orders',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      hidden: ['amount_key', 'closed_state', 'void_idempotency_id', 'void_request_id'],
      set: () => sql`metadata = null, plan_metadata = null, return_url = null`,
      rewritten: {
        line_items: ['json', jsonWithoutTexts],
        notify_url: ['text', withoutQuery],
        timeout_url: ['text', withoutQuery],
      },
    }),
    personalRows({
      table: 'transactions',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.order_id in (${orderIds(businessId, subject)})`,
      hidden: ['amount_key', 'notable_state', 'decline_code', 'void_key'],
      set: () => sql`note = null, next_action = null`,
      rewritten: { instrument: ['json', withoutCardData], answer: ['json', answerWithoutTexts] },
    }),
    personalRows({
      table: 'acquirer_transactions',
      key: sql`t.transaction_id`,
      where: (businessId, subject) => sql`t.transaction_id in (${transactionIds(businessId, subject)})`,
      rewritten: { gateway_transaction_id: ['text', withoutTexts], rrn: ['text', withoutTexts] },
    }),
    personalRows({
      table: 'disputed_money',
      key: sql`t.id`,
      where: (businessId, subject) => sql`t.order_id in (${orderIds(businessId, subject)})`,
    }),
  ],
  objects: (businessId, subject) => sql`
    ${orderIds(businessId, subject)}
    union all
    ${transactionIds(businessId, subject)}`,
  blockers: {
    open_orders: (businessId, { uuid }) => sql`
      select id from orders where business_id = ${businessId} and customer_uuid = ${uuid} and state = 'open'`,
    payments_under_way: (businessId, subject) => sql`
      select t.id from transactions t
       where t.business_id = ${businessId} and t.order_id in (${orderIds(businessId, subject)})
         and (t.void_pending or t.state in ('initiated', 'pending', 'requires_action', 'authorized', 'unknown'))`,
  },
}

/** A receiver's address stays, because events of later refunds are sent to it. */
function withoutQuery(url: string): string {
  return url.replace(/(?<![?#])[?#].*$/s, '')
}

/** The reference of a payment by hand is a text of whoever recorded it; others are ids of an acquirer or of a bank. */
function answerWithoutTexts(
  answer: string,
  subject: Subject,
  { instrument }: Readonly<Record<string, string | null>>,
): string {
  const { acquirerType } = parseJson(instrument ?? '{}') as JsonObject
  const { gatewayTransactionId: reference, ...others } = parseJson(answer) as JsonObject
  const isText = acquirerType === 'manual' && reference !== ''
  return jsonWithoutTexts(
    JSON.stringify({ gatewayTransactionId: isText ? ERASED : reference, ...others }),
    subject,
  )
}

function withoutCardData(instrument: string): string {
  const erased = { first6: null, numberLength: null, holderName: null, expMonth: null, expYear: null }
  const { returnUrl: _, ...kept } = parseJson(instrument) as JsonObject
  return JSON.stringify({ ...kept, ...erased })
}

export function hasOrderSince(businessId: string, since: string): Sql {
  return sql`exists (select from orders o
                      where o.business_id = ${businessId} and o.customer_uuid = c.uuid and o.created_at >= ${since})`
}
