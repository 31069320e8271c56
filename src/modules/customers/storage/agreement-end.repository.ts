import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf } from '#platform/postgres/rows'
import type { Tx } from '#platform/postgres/database'
import { AGREEMENT_ENDS, INSTRUMENT_REFRESH } from '../job-names.ts'

export async function scheduleAgreementEnd(tx: Tx, token: string, at: Instant): Promise<void> {
  await tx.execute(sql`
    update payment_tokens set agreement_end_at = ${toRfc3339(at)}, inquiries = 0
     where business_id = ${tx.businessId} and token = ${token}`)
  await scheduleJob(tx, AGREEMENT_ENDS, at)
}

/** An erasure marks the agreements of a customer in its own statement. */
export async function scheduleAgreementEnds(tx: Tx, customerUuid: string, at: Instant): Promise<void> {
  const marked = await tx.query(sql`
    select from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and agreement_end_at is not null
     limit 1`)
  if (marked.length > 0) await scheduleJob(tx, AGREEMENT_ENDS, at)
}

export interface AgreementToEnd {
  readonly token: string
  readonly accountId: string
  readonly agreement: string
  readonly inquiries: number
}

/** A binding that was deleted while it waited for its payer knows the agreement as its verification. */
export function findAgreementsToEnd(tx: Tx, until: Instant, limit: number): Promise<AgreementToEnd[]> {
  return tx.query(sql`
    select token, acquirer_account_id as "accountId", coalesce(acquirer_token, verification_reference) as agreement, inquiries
      from payment_tokens
     where business_id = ${tx.businessId} and agreement_end_at <= ${toRfc3339(until)}
     order by agreement_end_at, token limit ${limit}`)
}

export async function recordAgreementEnd(
  tx: Tx,
  { token, inquiries }: AgreementToEnd,
  retryAt: Instant | null,
): Promise<void> {
  await tx.execute(sql`
    update payment_tokens
       set agreement_end_at = ${retryAt && toRfc3339(retryAt)}, inquiries = ${inquiries + 1},
           acquirer_token = case when ${retryAt === null} then null else acquirer_token end
     where business_id = ${tx.businessId} and token = ${token}`)
  if (retryAt !== null) await scheduleJob(tx, AGREEMENT_ENDS, retryAt)
}

/** The acquirer keeps the card of the token by no agreement. Of an erased customer nothing is left of it. */
export async function forgetAgreementEnd(tx: Tx, token: string): Promise<void> {
  await tx.execute(sql`
    update payment_tokens t
       set agreement_end_at = null,
           acquirer_token = case when exists (
             select from customers c
              where c.business_id = t.business_id and c.uuid = t.customer_uuid and c.erased_at is not null
           ) then null else acquirer_token end
     where business_id = ${tx.businessId} and token = ${token}`)
}

export function nextAgreementEnd(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`payment_tokens`, sql`agreement_end_at`)
}

/** The acquirer is asked about agreements that a charge found ended. */
export async function askAboutAgreements(tx: Tx, tokens: readonly string[]): Promise<void> {
  const asked = await tx.execute(sql`
    update payment_tokens set refresh_due_at = ${toRfc3339(tx.now)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`token`, tokens)} and state = 'active'
       and acquirer_token is not null`)
  if (asked > 0) await scheduleJob(tx, INSTRUMENT_REFRESH, tx.now)
}
