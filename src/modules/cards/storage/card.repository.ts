import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { parseJson } from '#kernel/json'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { givenIds } from '#platform/postgres/rows'
import { json, named, table } from '#platform/postgres/table'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Card } from '../model/card.ts'
import { CARD_STATUSES } from '../model/card.states.ts'
import type { SpendingControls } from '../model/spending-controls-schema.ts'

/** Amounts keep their digits. */
const EXACT_CONTROLS = {
  ...json<SpendingControls>(),
  read: (stored: string) => parseJson(stored) as SpendingControls,
}

const CARDS = table<Card>('cards', {
  id: 'text',
  referenceId: 'text',
  type: 'text',
  mode: 'text',
  title: 'text',
  businessName: 'text',
  currency: named('settlement_currency', 'text'),
  status: 'text',
  physicalStatus: 'text',
  statusRemark: 'text',
  pUserId: 'text',
  timeZone: 'text',
  zoneSince: 'timestamptz',
  sealedNumber: 'text',
  first6: 'text',
  last4: 'text',
  issuerBrand: 'text',
  expirationDate: 'text',
  expiresAt: 'timestamptz',
  spendingControls: EXACT_CONTROLS,
  fundingWalletId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
})

const CHANGED = CARDS.only(
  'title',
  'status',
  'physicalStatus',
  'statusRemark',
  'pUserId',
  'timeZone',
  'zoneSince',
  'expiresAt',
  'spendingControls',
  'metadata',
)

export async function insertCard(tx: Tx, card: Card): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into cards ${CARDS.values(tx.businessId, [card], { updated_at: toRfc3339(card.createdAt) })}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateCard(tx: Tx, card: Card, at: Instant): Promise<void> {
  await tx.execute(sql`
    update cards set ${CHANGED.set(card)}, updated_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and id = ${card.id}`)
}

export async function findCards(tx: Tx, ids: readonly string[]): Promise<Map<string, Card>> {
  const rows = await tx.query(sql`
    select c.*
      from ${givenIds(ids)}
     cross join lateral (
           select ${CARDS.columns} from cards where business_id = ${tx.businessId} and id = given.id limit 1) c`)
  return new Map(rows.map(CARDS.read).map((card) => [card.id, card]))
}

export async function findCardIdByReference(tx: Tx, referenceId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from cards where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id ?? null
}

export const CARD_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`id`, prefix: true },
  reference_id: { type: 'text', column: sql`reference_id`, prefix: true },
  p_user_id: { type: 'text', column: sql`p_user_id`, prefix: true },
  status: { type: 'enum', column: sql`status`, values: CARD_STATUSES },
  type: { type: 'text', column: sql`type` },
  last_4_digits: { type: 'text', column: sql`last_4` },
  created_at: { type: 'time', column: sql`created_at` },
}

export async function listCards(tx: Tx, condition: Sql, page: PageRequest): Promise<Card[]> {
  const rows = await tx.query(sql`
    select ${CARDS.columns} from cards
     where business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`created_at`, sql`id`)}`)
  return rows.map(CARDS.read)
}

export async function sealedNumbersEndingIn(
  tx: Tx,
  last4: string,
): Promise<{ id: string; sealedNumber: string }[]> {
  const rows = await tx.query<{ id: string; sealed_number: string }>(sql`
    select id, sealed_number from cards where business_id = ${tx.businessId} and last_4 = ${last4}`)
  return rows.map((row) => ({ id: row.id, sealedNumber: row.sealed_number }))
}

export function nextCardExpiry(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`cards`, sql`expires_at`, sql`status not in ('Terminated', 'Expired')`)
}

export async function expiredCardIds(tx: Tx, until: Instant, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from cards
     where business_id = ${tx.businessId} and status not in ('Terminated', 'Expired')
       and expires_at <= ${toRfc3339(until)}
     order by expires_at limit ${limit}`)
  return rows.map((row) => row.id)
}
