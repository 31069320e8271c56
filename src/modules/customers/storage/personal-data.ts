import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import {
  type PersonalData,
  personalRows,
  type PersonalSource,
  type Subject,
} from '#platform/personal-data/personal-data'
import { ERASED } from '#platform/personal-data/rewrite'
import type { Tx } from '#platform/postgres/database'
import { replaceTerms } from '#platform/search/term-index'
import type { Customer } from '../model/customer.ts'
import { CUSTOMER_TERMS } from './customer-search.repository.ts'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import { lockCustomer } from './customer.repository.ts'

const CUSTOMERS: PersonalSource = {
  ...personalRows({
    table: 'customers',
    key: sql`t.uuid`,
    where: (_, { uuid }) => sql`t.uuid = ${uuid}`,
  }),
  erase: async (tx, subject) => {
    const before = await lockCustomer(tx, subject.uuid)
    if (before === null) return { count: 0, next: null }
    await replaceTerms(tx, CUSTOMER_TERMS, [subject.uuid], () => eraseCustomer(tx, subject), subject.texts)
    return { count: 1, next: null }
  },
}

async function eraseCustomer(tx: Tx, { uuid, erasedName }: Subject): Promise<void> {
  await tx.execute(sql`
    update customers
       set reference_number = ${erasedName}, name = ${ERASED}, email = null, dial_code = null, phone = '', company_name = null,
           metadata = null, default_payment_method = null, default_token = null
     where business_id = ${tx.businessId} and uuid = ${uuid}`)
}

/** Some acquirers keep a card by an agreement, too. */
const MAY_HAVE_AGREEMENT = sql`
  (t.state = 'active' and t.acquirer_token is not null and t.acquirer_account_id <> ${SIMULATOR_ACCOUNT})`

/** Already due. The job that ends it forgets the agreement, too. */
const ENDED_AT_ONCE = sql`t.created_at`

export const CUSTOMERS_PERSONAL_DATA: PersonalData = {
  sources: [
    CUSTOMERS,
    personalRows({
      table: 'customer_notes',
      key: sql`t.id`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      set: 'delete',
    }),
    personalRows({
      table: 'payment_tokens',
      key: sql`t.token`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
      hidden: [
        'sealed_number',
        'acquirer_token',
        'payer_reference',
        'verify_uuid',
        'idempotency_id',
        'next_action_url',
        'next_action',
      ],
      set: () => sql`
        state = case t.state when 'active' then 'deleted' else t.state end, sealed_number = null, first_6 = null,
        last_4 = null, number_length = null, holder_name = null, exp_month = null, exp_year = null, expires_at = null,
        card_country = null, payer_reference = null, return_url = null, error_msg = null, wallet_account = null,
        refresh_due_at = null, expiry_notice_at = null,
        agreement_end_at = case when ${MAY_HAVE_AGREEMENT} then ${ENDED_AT_ONCE} else t.agreement_end_at end,
        acquirer_token = case when ${MAY_HAVE_AGREEMENT} or t.agreement_end_at is not null then t.acquirer_token end`,
    }),
    personalRows({
      table: 'purged_payment_tokens',
      key: sql`t.token`,
      where: (_, { uuid }) => sql`t.customer_uuid = ${uuid}`,
    }),
  ],
  objects: (businessId, { uuid }) => sql`
    select ${uuid}::text as id
    union all
    select token from payment_tokens where business_id = ${businessId} and customer_uuid = ${uuid}
    union all
    select token from purged_payment_tokens where business_id = ${businessId} and customer_uuid = ${uuid}`,
  blockers: {
    bindings_under_way: (businessId, { uuid }) => sql`
      select token as id from payment_tokens
       where business_id = ${businessId} and customer_uuid = ${uuid} and state = 'pending'`,
  },
}

export async function personalTexts(tx: Tx, { uuid, ...customer }: Customer): Promise<string[]> {
  const holders = await tx.query<{ text: string }>(sql`
    select distinct unnest(array[holder_name, payer_reference]) as text from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${uuid}`)
  const { name, email, phone, dialCode, companyName, referenceNumber } = customer
  const texts = [name, email, phone, `${dialCode ?? ''}${phone}`, companyName, referenceNumber]
  return [...new Set([...texts, ...holders.map(({ text }) => text)])].filter(
    (text): text is string => text !== null && text !== '' && text !== uuid,
  )
}

export async function markErased(tx: Tx, uuid: string, at: Instant): Promise<void> {
  await tx.execute(sql`
    update customers set erased_at = ${toRfc3339(at)} where business_id = ${tx.businessId} and uuid = ${uuid}`)
}

export function findInactive(
  tx: Tx,
  before: Instant,
  after: { readonly at: Instant; readonly uuid: string } | null,
  limit: number,
  isActive: Sql,
): Promise<{ uuid: string; created_at: Instant; is_active: boolean }[]> {
  const from =
    after === null
      ? sql`true`
      : sql`(c.created_at, c.uuid) > (${toRfc3339(after.at)}::timestamptz, ${after.uuid})`
  return tx.query(sql`
    select c.uuid, c.created_at, c.erased_at is not null or c.updated_at >= ${toRfc3339(before)} or (${isActive}) as is_active
      from customers c
     where c.business_id = ${tx.businessId} and c.created_at < ${toRfc3339(before)} and ${from}
     order by c.created_at, c.uuid limit ${limit}`)
}
