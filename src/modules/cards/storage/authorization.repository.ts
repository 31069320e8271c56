import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Authorization, DeclineReason, TimeoutFallback } from '../authorizations/authorization.ts'
import type { AuthorizationState } from '../authorizations/authorization.states.ts'

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
  hook_on_silence: TimeoutFallback | null
  idempotency_id: string | null
}

const COLUMNS = sql`uuid, card_id, reference_id, state, decline_reason, currency, amount_minor, held_minor,
       captured_minor, refunded_minor, forced_minor, merchant_name, merchant_mcc, merchant_country, created_at,
       expires_at, hook_due_at, hook_on_silence, idempotency_id`

const newAuthorizations = rowsAs<Authorization>('given', {
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
  hook_on_silence: ['text', (a) => a.pendingHook?.timeoutFallback ?? null],
  idempotency_id: ['text', (a) => a.idempotencyId],
})

/** Writes decisions; the caller holds the locks of their cards. */
export async function insertAuthorizations(tx: Tx, given: readonly Authorization[]): Promise<void> {
  await tx.execute(sql`
    insert into card_authorizations (business_id, uuid, card_id, reference_id, state, decline_reason, currency,
                                     amount_minor, held_minor, captured_minor, refunded_minor, forced_minor,
                                     merchant_name, merchant_mcc, merchant_country, created_at, expires_at, hook_due_at,
                                     hook_on_silence, idempotency_id)
    select ${tx.businessId}::text, uuid, card_id, reference_id, state, decline_reason, currency, amount_minor, held_minor,
           0, 0, 0, merchant_name, merchant_mcc, merchant_country, created_at, expires_at, hook_due_at, hook_on_silence,
           idempotency_id
      from ${newAuthorizations(given)}`)
}

const changedAuthorizations = rowsAs<Authorization>('c', {
  uuid: ['text', (a) => a.uuid],
  state: ['text', (a) => a.state],
  decline_reason: ['text', (a) => a.declineReason],
  held_minor: ['numeric', (a) => a.heldMinor.toString()],
  captured_minor: ['numeric', (a) => a.capturedMinor.toString()],
  refunded_minor: ['numeric', (a) => a.refundedMinor.toString()],
  forced_minor: ['numeric', (a) => a.forcedMinor.toString()],
  hook_due_at: ['timestamptz', (a) => rfc3339OrNull(a.pendingHook?.dueAt)],
})

/** Writes what operations have changed; the caller holds the locks of the cards. */
export async function updateAuthorizations(tx: Tx, changed: readonly Authorization[]): Promise<void> {
  await tx.execute(sql`
    update card_authorizations a
       set state = c.state, decline_reason = c.decline_reason, held_minor = c.held_minor,
           captured_minor = c.captured_minor, refunded_minor = c.refunded_minor, forced_minor = c.forced_minor,
           hook_due_at = c.hook_due_at
      from ${changedAuthorizations(changed)}
     where a.business_id = ${tx.businessId} and a.uuid = c.uuid`)
}

interface Reference {
  readonly cardId: string
  readonly referenceId: string
}

const givenReferences = rowsAs<Reference>('given', {
  card: ['text', (reference) => reference.cardId],
  reference: ['text', (reference) => reference.referenceId],
})

/**
 * Earlier decisions on the same references, in no order. One look-up each in the unique index of references: as a join, the
 * planner reads all the business's rows instead while its statistics are those of a small table, and by a card that an
 * index can be asked for (hence the `|| ''`) all the card's (measured: half of all decisions lost).
 */
export async function findAuthorizationsByReference(tx: Tx, references: readonly Reference[]): Promise<Authorization[]> {
  const rows = await tx.query<AuthorizationRow>(sql`
    select found.*
      from ${givenReferences(references)}
     cross join lateral (
           select ${COLUMNS} from card_authorizations
            where business_id = ${tx.businessId} and reference_id = given.reference and card_id || '' = given.card
            limit 1) found`)
  return rows.map(toAuthorization)
}

export async function findAuthorizations(
  tx: Tx,
  uuids: readonly string[],
): Promise<Map<string, Authorization>> {
  const found = await authorizationsBy(tx, sql`and ${isOneOf(sql`uuid`, uuids)}`)
  return new Map(found.map((authorization) => [authorization.uuid, authorization]))
}

/** One more than the page, newest first. */
export async function listAuthorizations(
  tx: Tx,
  cardId: string,
  page: PageRequest,
): Promise<Authorization[]> {
  return authorizationsBy(
    tx,
    sql`and card_id = ${cardId}
        ${rowsOfPage(page, sql`created_at`, sql`uuid`)}`,
  )
}

/** When the next hold expires. One that is still being asked about waits for its decision. */
export function nextHoldExpiry(tx: Tx): Promise<Instant | null> {
  const waiting = sql`held_minor > 0 and hook_due_at is null`
  return earliestTime(tx, sql`card_authorizations`, sql`expires_at`, waiting)
}

/** Holds due to expire at or before `until`, earliest first. They are not locked: lock their cards, then read them again. */
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

/** When the next decision hook that is being asked is given up (the real clock). */
export function nextHookTimeout(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`card_authorizations`, sql`hook_due_at`)
}

/** Authorizations whose decision hook was not heard of in time: whoever asked has died. */
export async function timedOutHookAuthorizations(tx: Tx, until: Instant, limit: number): Promise<string[]> {
  const rows = await tx.query<{ uuid: string }>(sql`
    select uuid from card_authorizations
     where business_id = ${tx.businessId} and hook_due_at <= ${toRfc3339(until)}
     order by hook_due_at limit ${limit}`)
  return rows.map((row) => row.uuid)
}

async function authorizationsBy(tx: Tx, condition: Sql): Promise<Authorization[]> {
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
      row.hook_due_at === null || row.hook_on_silence === null
        ? null
        : { dueAt: row.hook_due_at, timeoutFallback: row.hook_on_silence },
    idempotencyId: row.idempotency_id,
  }
}
