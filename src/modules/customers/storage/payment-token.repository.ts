import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { VerifiedInstrument } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, isFree, type Lease, leasedTable } from '#platform/jobs/leases'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf } from '#platform/postgres/rows'
import { composed, computed, json, named, table } from '#platform/postgres/table'
import { BINDING_INQUIRIES } from '../job-names.ts'
import { MAX_TOKENS, type PaymentToken, purgeDueAt, type TokenType } from '../model/payment-token.ts'

const PAYMENT_TOKENS = table<PaymentToken>('t', {
  businessId: 'text',
  token: 'text',
  customerUuid: 'text',
  tokenType: 'text',
  state: 'text',
  isDefault: computed('is_default', 'coalesce(c.default_token = t.token, false)'),
  verifyUuid: 'text',
  defaultRequested: 'boolean',
  brand: 'text',
  first6: 'text',
  last4: 'text',
  numberLength: 'integer',
  holderName: 'text',
  expMonth: 'integer',
  expYear: 'integer',
  billingCurrency: 'text',
  expiresAt: 'timestamptz',
  sealed: named('sealed_number', 'text'),
  acquirerAccountId: 'text',
  acquirerToken: 'text',
  payerReference: 'text',
  country: named('card_country', 'text'),
  verificationReference: 'text',
  verificationSentAt: composed(
    ['verification_sent_at', 'created_at'],
    (sentAt: Instant | null, createdAt: Instant) => sentAt ?? createdAt,
    { verification_sent_at: ['timestamptz', toRfc3339] },
  ),
  errorCode: 'text',
  errorMessage: named('error_msg', 'text'),
  returnUrl: 'text',
  awaiting: 'text',
  nextActionUrl: 'text',
  nextAction: json<PaymentToken['nextAction']>(),
  walletName: 'text',
  walletAccount: 'text',
  inquiries: 'integer',
  dueAt: 'timestamptz',
  idempotencyId: 'text',
  createdAt: 'timestamptz',
})
const NOT_NEW = [
  'businessId',
  'state',
  'isDefault',
  'country',
  'errorCode',
  'errorMessage',
  'nextActionUrl',
  'nextAction',
  'walletAccount',
  'inquiries',
] as const
const NEW_TOKENS = PAYMENT_TOKENS.without(...NOT_NEW, 'verificationReference')
const NEW_KEPT_TOKENS = PAYMENT_TOKENS.without(...NOT_NEW)

export const PENDING_TOKENS = leasedTable('payment_tokens', { key: ['token'] })

const TOKENS = sql`payment_tokens t
       join customers c on c.business_id = t.business_id and c.uuid = t.customer_uuid`

export type NewPaymentToken = Parameters<typeof NEW_TOKENS.set>[0]
type NewKeptToken = Parameters<typeof NEW_KEPT_TOKENS.set>[0]

export async function insertPendingToken(
  tx: Tx,
  token: NewPaymentToken,
  leasedUntil: Instant,
): Promise<void> {
  const more = {
    state: 'pending',
    leased_until: toRfc3339(leasedUntil),
    updated_at: toRfc3339(token.createdAt),
  }
  await tx.execute(sql`insert into payment_tokens ${NEW_TOKENS.values(tx.businessId, [token], more)}`)
}

/** Tokens of instruments that acquirers keep already, by the id that names them there. Those that have a token are left out. */
export async function insertKeptTokens(tx: Tx, tokens: readonly NewKeptToken[]): Promise<void> {
  const more = { state: 'pending', updated_at: toRfc3339(tx.now) }
  await tx.execute(sql`
    insert into payment_tokens ${NEW_KEPT_TOKENS.values(tx.businessId, tokens, more)} on conflict do nothing`)
  await scheduleJob(tx, BINDING_INQUIRIES, tx.now)
}

/** Counts tokens towards `MAX_TOKENS`. The caller holds the customer's lock. */
export async function countUsableTokens(tx: Tx, customerUuid: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and state in ('pending', 'active')`)
  return row?.count ?? 0
}

export async function hasOtherActiveToken(tx: Tx, token: PaymentToken, at: Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${token.customerUuid} and token <> ${token.token}
       and state = 'active' and (expires_at is null or expires_at > ${toRfc3339(at)})
     limit 1`)
  return rows.length > 0
}

export async function lockToken(tx: Tx, token: string): Promise<PaymentToken | null> {
  const rows = await tx.query(sql`
    select ${PAYMENT_TOKENS.columns} from ${TOKENS}
     where t.business_id = ${tx.businessId} and t.token = ${token}
       for no key update of t`)
  return rows[0] === undefined ? null : PAYMENT_TOKENS.read(rows[0])
}

export async function findTokens(tx: Tx, tokens: readonly string[]): Promise<Map<string, PaymentToken>> {
  const rows = await tx.query(sql`
    select ${PAYMENT_TOKENS.columns} from ${TOKENS}
     where t.business_id = ${tx.businessId} and ${isOneOf(sql`t.token`, tokens)}`)
  return new Map(rows.map(PAYMENT_TOKENS.read).map((token) => [token.token, token]))
}

export async function findActiveToken(
  tx: Tx,
  customerUuid: string,
  { accountId, acquirerToken }: { readonly accountId: string; readonly acquirerToken: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ token: string }>(sql`
    select token from payment_tokens
     where business_id = ${tx.businessId} and acquirer_account_id = ${accountId} and acquirer_token = ${acquirerToken}
       and customer_uuid = ${customerUuid} and state = 'active'`)
  return row?.token
}

export async function findDefaultTokens(
  tx: Tx,
  customerUuids: readonly string[],
): Promise<Map<string, PaymentToken>> {
  const rows = await tx.query(sql`
    select ${PAYMENT_TOKENS.columns}
      from customers c
      join payment_tokens t on t.business_id = c.business_id and t.token = c.default_token
     where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.uuid`, customerUuids)}`)
  return new Map(rows.map(PAYMENT_TOKENS.read).map((token) => [token.customerUuid, token]))
}

/** The newest tokens of a customer, deleted ones too. */
export async function findTokenIds(tx: Tx, customerUuid: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ token: string }>(sql`
    select token from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
     order by created_at desc, token desc limit ${limit}`)
  return rows.map(({ token }) => token)
}

export async function listTokens(
  tx: Tx,
  customerUuid: string,
  tokenType: TokenType | null,
): Promise<PaymentToken[]> {
  const rows = await tx.query(sql`
    select ${PAYMENT_TOKENS.columns} from ${TOKENS}
     where t.business_id = ${tx.businessId} and t.customer_uuid = ${customerUuid}
       and (${tokenType}::text is null or t.token_type = ${tokenType})
       and (t.state in ('pending', 'active') or t.token = any(array(
             select token from payment_tokens
              where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and state = 'failed'
                and (${tokenType}::text is null or token_type = ${tokenType})
              order by created_at desc, token desc
              limit ${MAX_TOKENS})))
     order by t.created_at desc, t.token desc`)
  return rows.map(PAYMENT_TOKENS.read)
}

export async function findTokenByVerification(tx: Tx, verifyUuid: string): Promise<PaymentToken | null> {
  const rows = await tx.query(sql`
    select ${PAYMENT_TOKENS.columns} from ${TOKENS}
     where t.business_id = ${tx.businessId} and t.verify_uuid = ${verifyUuid}`)
  return rows[0] === undefined ? null : PAYMENT_TOKENS.read(rows[0])
}

export async function completeBinding(
  tx: Tx,
  token: string,
  end: { state: 'active' | 'failed'; errorCode: string | null; errorMessage: string | null; at: Instant },
): Promise<void> {
  await tx.execute(sql`
    update payment_tokens
       set state = ${end.state}, error_code = ${end.errorCode}, error_msg = ${end.errorMessage},
           sealed_number = case when ${end.state} = 'active' then sealed_number end, awaiting = null,
           next_action_url = null, next_action = null, due_at = null, leased_until = null, idempotency_id = null,
           updated_at = greatest(updated_at, ${toRfc3339(end.at)})
     where business_id = ${tx.businessId} and token = ${token}`)
}

export async function rescheduleInquiry(
  tx: Tx,
  token: string,
  wait: {
    awaiting: 'acquirer' | 'payer'
    nextActionUrl: string | null
    nextAction: PaymentToken['nextAction']
    inquiries: number
    dueAt: Instant
    at: Instant
  },
): Promise<void> {
  await tx.execute(sql`
    update payment_tokens
       set awaiting = ${wait.awaiting}, next_action_url = ${wait.nextActionUrl},
           next_action = ${wait.nextAction && JSON.stringify(wait.nextAction)}, inquiries = ${wait.inquiries},
           due_at = ${toRfc3339(wait.dueAt)}, leased_until = null, idempotency_id = null,
           updated_at = greatest(updated_at, ${toRfc3339(wait.at)})
     where business_id = ${tx.businessId} and token = ${token}`)
}

export async function saveInstrument(
  tx: Tx,
  token: string,
  instrument: VerifiedInstrument & { readonly expiresAt: Instant | null },
): Promise<void> {
  await tx.execute(sql`
    update payment_tokens
       set acquirer_token = ${instrument.id}, payer_reference = coalesce(${instrument.payerReference}, payer_reference),
           brand = coalesce(${instrument.brand}, brand), first_6 = coalesce(${instrument.first6}, first_6),
           last_4 = coalesce(${instrument.last4}, last_4), exp_month = coalesce(${instrument.expMonth}, exp_month),
           exp_year = coalesce(${instrument.expYear}, exp_year),
           holder_name = coalesce(${instrument.holderName}, holder_name),
           card_country = coalesce(${instrument.country}, card_country),
           wallet_name = coalesce(${instrument.wallet?.name ?? null}, wallet_name),
           wallet_account = coalesce(${instrument.wallet?.account ?? null}, wallet_account),
           expires_at = coalesce(${rfc3339OrNull(instrument.expiresAt)}, expires_at)
     where business_id = ${tx.businessId} and token = ${token}`)
}

export async function storeVerificationReference(tx: Tx, token: string, reference: string): Promise<boolean> {
  const stored = await tx.execute(sql`
    update payment_tokens set verification_reference = ${reference}
     where business_id = ${tx.businessId} and token = ${token} and state = 'pending'
       and coalesce(verification_reference, ${reference}) = ${reference}`)
  return stored === 1
}

export async function findPayerReference(
  tx: Tx,
  customerUuid: string,
  accountId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ payer_reference: string }>(sql`
    select payer_reference from payment_tokens
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
       and acquirer_account_id = ${accountId} and payer_reference is not null
     limit 1`)
  return row?.payer_reference ?? null
}

export async function hastenInquiry(
  tx: Tx,
  subject: { readonly reference: string; readonly key: string | null },
  at: Instant,
): Promise<void> {
  const hastened = await tx.execute(sql`
    update payment_tokens set due_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and due_at > ${toRfc3339(at)} and state = 'pending'
       and (verification_reference = ${subject.reference} or verify_uuid = ${subject.key})`)
  if (hastened > 0) await scheduleJob(tx, BINDING_INQUIRIES, at)
}

export async function markTokenDeleted(tx: Tx, token: string, at: Instant): Promise<void> {
  await tx.execute(sql`
    update payment_tokens
       set state = 'deleted', sealed_number = null, awaiting = null, next_action_url = null, next_action = null, due_at = null,
           leased_until = null, idempotency_id = null, expiry_notice_at = null,
           updated_at = greatest(updated_at, ${toRfc3339(at)})
     where business_id = ${tx.businessId} and token = ${token}`)
}

export interface DueToken {
  readonly token: string
  readonly dueAt: Instant
}

export function claimDueTokens(
  tx: Tx,
  claim: { readonly until: Instant; readonly limit: number; readonly lease: Lease },
): Promise<DueToken[]> {
  return claimRows<DueToken>(tx, PENDING_TOKENS, {
    where: dueBy(claim.until),
    limit: claim.limit,
    lease: claim.lease,
    returning: sql`r.token, r.due_at as "dueAt"`,
  })
}

export async function claimToken(tx: Tx, token: string, lease: Lease): Promise<boolean> {
  const claimed = await tx.execute(sql`
    update payment_tokens set leased_until = ${toRfc3339(lease.until)}
     where business_id = ${tx.businessId} and token = ${token} and state = 'pending' and ${isFree(lease.from)}`)
  return claimed === 1
}

export async function releaseToken(tx: Tx, token: string): Promise<void> {
  await tx.execute(sql`
    update payment_tokens set leased_until = null where business_id = ${tx.businessId} and token = ${token}`)
}

export function nextTokenDueAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`payment_tokens`, sql`due_at`)
}

export async function nextPurgeAt(tx: Tx): Promise<Instant | null> {
  const failedAt = await earliestTime(tx, sql`payment_tokens`, sql`updated_at`, sql`state = 'failed'`)
  return failedAt && purgeDueAt(failedAt)
}

/** `updated_at` of a failed token is the time of its failure: only a deletion changes it afterwards. */
export function deleteFailedTokens(tx: Tx, failedBefore: Instant, limit: number): Promise<number> {
  return tx.execute(sql`
    with purged as (
      delete from payment_tokens
       where business_id = ${tx.businessId} and state = 'failed' and token = any(array(
             select token from payment_tokens
              where business_id = ${tx.businessId} and state = 'failed' and updated_at <= ${toRfc3339(failedBefore)}
              order by updated_at, token
              limit ${limit}
                for update skip locked))
      returning business_id, token, customer_uuid)
    insert into purged_payment_tokens (business_id, token, customer_uuid)
    select business_id, token, customer_uuid from purged`)
}

export const END_TOKEN_LEASES = endLeases(BINDING_INQUIRIES, PENDING_TOKENS, sql`least(due_at, created_at)`)
