import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Authorization, DeclineReason, HookDecision } from '../model/authorization.ts'
import type { AuthorizationState } from '../model/authorization.states.ts'

interface AuthorizationRow {
  uuid: string
  card_id: string
  reference_id: string
  state: AuthorizationState
  decline_reason: DeclineReason | null
  currency: string
  amount_minor: bigint
  held_minor: bigint
  captured_minor: bigint
  refunded_minor: bigint
  forced_minor: bigint
  merchant_name: string
  merchant_mcc: string
  merchant_country: string
  created_at: Instant
  expires_at: Instant
  hook_due_at: Instant | null
  hook_timeout_fallback: HookDecision | null
  idempotency_id: string | null
}

const COLUMNS = sql`uuid, card_id, reference_id, state, decline_reason, currency, amount_minor, held_minor,
       captured_minor, refunded_minor, forced_minor, merchant_name, merchant_mcc, merchant_country, created_at,
       expires_at, hook_due_at, hook_timeout_fallback, idempotency_id`

const newAuthorizations = rowsAs<Authorization>('input', {
  uuid: ['text', (a) => a.uuid],
  card_id: ['text', (a) => a.cardId],
  reference_id: ['text', (a) => a.referenceId],
  state: ['text', (a) => a.state],
  decline_reason: ['text', (a) => a.declineReason],
  currency: ['text', (a) => a.currency],
  amount_minor: ['numeric', (a) => a.amountMinor.toString()],
  held_minor: ['numeric', (a) => a.heldMinor.toString()],
  merchant_name: ['text', (a) => a.merchant.name],
  merchant_mcc: ['text', (a) => a.merchant.mcc],
  merchant_country: ['text', (a) => a.merchant.country],
  created_at: ['timestamptz', (a) => toRfc3339(a.createdAt)],
  expires_at: ['timestamptz', (a) => toRfc3339(a.expiresAt)],
  hook_due_at: ['timestamptz', (a) => rfc3339OrNull(a.pendingHook?.dueAt)],
  hook_timeout_fallback: ['text', (a) => a.pendingHook?.timeoutFallback ?? null],
  idempotency_id: ['text', (a) => a.idempotencyId],
})

export async function insertAuthorizations(tx: Tx, authorizations: readonly Authorization[]): Promise<void> {
  await tx.execute(sql`
    insert into card_authorizations (business_id, uuid, card_id, reference_id, state, decline_reason, currency,
                                     amount_minor, held_minor, captured_minor, refunded_minor, forced_minor,
                                     merchant_name, merchant_mcc, merchant_country, created_at, expires_at, hook_due_at,
                                     hook_timeout_fallback, idempotency_id)
    select ${tx.businessId}::text, uuid, card_id, reference_id, state, decline_reason, currency, amount_minor, held_minor,
           0, 0, 0, merchant_name, merchant_mcc, merchant_country, created_at, expires_at, hook_due_at, hook_timeout_fallback,
           idempotency_id
      from ${newAuthorizations(authorizations)}`)
}

const changedAuthorizations = rowsAs<Authorization>('input', {
  uuid: ['text', (a) => a.uuid],
  state: ['text', (a) => a.state],
  decline_reason: ['text', (a) => a.declineReason],
  held_minor: ['numeric', (a) => a.heldMinor.toString()],
  captured_minor: ['numeric', (a) => a.capturedMinor.toString()],
  refunded_minor: ['numeric', (a) => a.refundedMinor.toString()],
  forced_minor: ['numeric', (a) => a.forcedMinor.toString()],
  hook_due_at: ['timestamptz', (a) => rfc3339OrNull(a.pendingHook?.dueAt)],
})

export async function updateAuthorizations(tx: Tx, changed: readonly Authorization[]): Promise<void> {
  await tx.execute(sql`
    update card_authorizations a
       set state = input.state, decline_reason = input.decline_reason, held_minor = input.held_minor,
           captured_minor = input.captured_minor, refunded_minor = input.refunded_minor,
           forced_minor = input.forced_minor, hook_due_at = input.hook_due_at
      from ${changedAuthorizations(changed)}
     where a.business_id = ${tx.businessId} and a.uuid = input.uuid`)
}

interface Reference {
  readonly cardId: string
  readonly referenceId: string
}

const referenceRows = rowsAs<Reference>('input', {
  card_id: ['text', (reference) => reference.cardId],
  reference_id: ['text', (reference) => reference.referenceId],
})

/**
 * Finds earlier decisions, in no order, with one look-up per reference in the unique index of references. While the
 * statistics describe a small table, the planner would execute a join by reading all rows of the business, and a condition
 * on `card_id` by reading all rows of the card. `|| ''` rules out the second; without it half of all decisions a second
 * were lost.
 */
export async function findAuthorizationsByReference(
  tx: Tx,
  references: readonly Reference[],
): Promise<Authorization[]> {
  const rows = await tx.query<AuthorizationRow>(sql`
    select a.*
      from ${referenceRows(references)}
     cross join lateral (
           select ${COLUMNS} from card_authorizations
            where business_id = ${tx.businessId} and reference_id = input.reference_id
              and card_id || '' = input.card_id
            limit 1) a`)
  return rows.map(toAuthorization)
}

export async function findAuthorizations(
  tx: Tx,
  uuids: readonly string[],
): Promise<Map<string, Authorization>> {
  const authorizations = await selectAuthorizations(tx, sql`and ${isOneOf(sql`uuid`, uuids)}`)
  return new Map(authorizations.map((authorization) => [authorization.uuid, authorization]))
}

export async function listAuthorizations(
  tx: Tx,
  cardId: string,
  page: PageRequest,
): Promise<Authorization[]> {
  return selectAuthorizations(
    tx,
    sql`and card_id = ${cardId}
        ${rowsOfPage(page, sql`created_at`, sql`uuid`)}`,
  )
}

export function nextHoldExpiry(tx: Tx): Promise<Instant | null> {
  const isExpiring = sql`held_minor > 0 and hook_due_at is null`
  return earliestTime(tx, sql`card_authorizations`, sql`expires_at`, isExpiring)
}

/** Earliest first, and not locked: lock their cards, then read the authorizations again. */
export async function expiringHolds(
  tx: Tx,
  until: Instant,
  limit: number,
): Promise<{ uuid: string; cardId: string }[]> {
  const rows = await tx.query<{ uuid: string; card_id: string }>(sql`
    select uuid, card_id from card_authorizations
     where business_id = ${tx.businessId} and held_minor > 0 and hook_due_at is null
       and expires_at <= ${toRfc3339(until)}
     order by expires_at limit ${limit}`)
  return rows.map((row) => ({ uuid: row.uuid, cardId: row.card_id }))
}

export function nextHookTimeout(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`card_authorizations`, sql`hook_due_at`)
}

export async function timedOutHookAuthorizations(tx: Tx, until: Instant, limit: number): Promise<string[]> {
  const rows = await tx.query<{ uuid: string }>(sql`
    select uuid from card_authorizations
     where business_id = ${tx.businessId} and hook_due_at <= ${toRfc3339(until)}
     order by hook_due_at limit ${limit}`)
  return rows.map((row) => row.uuid)
}

async function selectAuthorizations(tx: Tx, condition: Sql): Promise<Authorization[]> {
  const rows = await tx.query<AuthorizationRow>(sql`
    select ${COLUMNS} from card_authorizations where business_id = ${tx.businessId} ${condition}`)
  return rows.map(toAuthorization)
}

function toAuthorization(row: AuthorizationRow): Authorization {
  return {
    uuid: row.uuid,
    cardId: row.card_id,
    referenceId: row.reference_id,
    state: row.state,
    declineReason: row.decline_reason,
    currency: row.currency,
    amountMinor: row.amount_minor,
    heldMinor: row.held_minor,
    capturedMinor: row.captured_minor,
    refundedMinor: row.refunded_minor,
    forcedMinor: row.forced_minor,
    merchant: { name: row.merchant_name, mcc: row.merchant_mcc, country: row.merchant_country },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    pendingHook:
      row.hook_due_at === null || row.hook_timeout_fallback === null
        ? null
        : { dueAt: row.hook_due_at, timeoutFallback: row.hook_timeout_fallback },
    idempotencyId: row.idempotency_id,
  }
}
