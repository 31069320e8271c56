import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { composed, table } from '#platform/postgres/table'
import type { Authorization, HookDecision } from '../model/authorization.ts'

const AUTHORIZATIONS = table<Authorization>('card_authorizations', {
  uuid: 'text',
  cardId: 'text',
  referenceId: 'text',
  state: 'text',
  declineReason: 'text',
  currency: 'text',
  amountMinor: 'numeric',
  heldMinor: 'numeric',
  capturedMinor: 'numeric',
  refundedMinor: 'numeric',
  forcedMinor: 'numeric',
  merchant: composed(
    ['merchant_name', 'merchant_mcc', 'merchant_country'],
    (name: string, mcc: string, country: string) => ({ name, mcc, country }),
    {
      merchant_name: ['text', (merchant) => merchant.name],
      merchant_mcc: ['text', (merchant) => merchant.mcc],
      merchant_country: ['text', (merchant) => merchant.country],
    },
  ),
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  pendingHook: composed(
    ['hook_due_at', 'hook_timeout_fallback'],
    (dueAt: Instant | null, timeoutFallback: HookDecision | null) =>
      dueAt === null || timeoutFallback === null ? null : { dueAt, timeoutFallback },
    {
      hook_due_at: ['timestamptz', (hook) => rfc3339OrNull(hook?.dueAt)],
      hook_timeout_fallback: ['text', (hook) => hook?.timeoutFallback ?? null],
    },
  ),
  idempotencyId: 'text',
})

export async function insertAuthorizations(tx: Tx, authorizations: readonly Authorization[]): Promise<void> {
  await tx.execute(sql`
    insert into card_authorizations ${AUTHORIZATIONS.values(tx.businessId, authorizations)}`)
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
  const rows = await tx.query(sql`
    select a.*
      from ${referenceRows(references)}
     cross join lateral (
           select ${AUTHORIZATIONS.columns} from card_authorizations
            where business_id = ${tx.businessId} and reference_id = input.reference_id
              and card_id || '' = input.card_id
            limit 1) a`)
  return rows.map(AUTHORIZATIONS.read)
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
  const rows = await tx.query(sql`
    select ${AUTHORIZATIONS.columns} from card_authorizations where business_id = ${tx.businessId} ${condition}`)
  return rows.map(AUTHORIZATIONS.read)
}
