import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { parseJson } from '#kernel/json'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import { earliestTime } from '#platform/postgres/earliest-time'
import { givenIds } from '#platform/postgres/rows'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { CardMode, CardType, Card } from '../model/card.ts'
import { CARD_STATUSES, type CardStatus, type PhysicalStatus } from '../model/card.states.ts'
import type { SpendingControls } from '../model/spending-controls.ts'

interface CardRow {
  id: string
  reference_id: string
  type: CardType
  mode: CardMode
  title: string
  business_name: string
  settlement_currency: string
  status: CardStatus
  physical_status: PhysicalStatus
  status_remark: string
  p_user_id: string | null
  time_zone: string
  zone_since: Instant
  sealed_number: string
  first_6: string
  last_4: string
  issuer_brand: string
  expiration_date: string
  expires_at: Instant
  spending_controls: string
  funding_wallet_id: string | null
  metadata: string | null
  created_at: Instant
}

const COLUMNS = sql`id, reference_id, type, mode, title, business_name, settlement_currency, status, physical_status,
       status_remark, p_user_id, time_zone, zone_since, sealed_number, first_6, last_4, issuer_brand, expiration_date,
       expires_at, spending_controls, funding_wallet_id, metadata, created_at`

export async function insertCard(tx: Tx, card: Card): Promise<boolean> {
  const createdAt = toRfc3339(card.createdAt)
  const inserted = await tx.execute(sql`
    insert into cards (business_id, id, reference_id, type, mode, title, business_name, settlement_currency, status,
                       physical_status, status_remark, p_user_id, time_zone, zone_since, sealed_number, first_6, last_4,
                       issuer_brand, expiration_date, expires_at, spending_controls, funding_wallet_id, metadata,
                       created_at, updated_at)
    values (${tx.businessId}, ${card.id}, ${card.referenceId}, ${card.type}, ${card.mode}, ${card.title},
            ${card.businessName}, ${card.currency}, ${card.status}, ${card.physicalStatus}, ${card.statusRemark},
            ${card.pUserId}, ${card.timeZone}, ${toRfc3339(card.zoneSince)}, ${card.sealedNumber}, ${card.first6},
            ${card.last4}, ${card.issuerBrand}, ${card.expirationDate}, ${toRfc3339(card.expiresAt)},
            ${JSON.stringify(card.spendingControls)}, ${card.fundingWalletId}, ${storedMetadata(card.metadata)}::jsonb, ${createdAt}, ${createdAt})
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateCard(tx: Tx, card: Card, at: Instant): Promise<void> {
  await tx.execute(sql`
    update cards
       set title = ${card.title}, status = ${card.status}, physical_status = ${card.physicalStatus},
           status_remark = ${card.statusRemark}, p_user_id = ${card.pUserId}, time_zone = ${card.timeZone},
           zone_since = ${toRfc3339(card.zoneSince)}, expires_at = ${toRfc3339(card.expiresAt)},
           spending_controls = ${JSON.stringify(card.spendingControls)},
           metadata = ${storedMetadata(card.metadata)}::jsonb, updated_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and id = ${card.id}`)
}

export async function findCards(tx: Tx, ids: readonly string[]): Promise<Map<string, Card>> {
  const rows = await tx.query<CardRow>(sql`
    select c.*
      from ${givenIds(ids)}
     cross join lateral (
           select ${COLUMNS} from cards where business_id = ${tx.businessId} and id = given.id limit 1) c`)
  return new Map(rows.map((row) => [row.id, toCard(row)]))
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
  const rows = await tx.query<CardRow>(sql`
    select ${COLUMNS} from cards
     where business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`created_at`, sql`id`)}`)
  return rows.map(toCard)
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

function toCard(row: CardRow): Card {
  return {
    id: row.id,
    referenceId: row.reference_id,
    type: row.type,
    mode: row.mode,
    title: row.title,
    businessName: row.business_name,
    currency: row.settlement_currency,
    status: row.status,
    physicalStatus: row.physical_status,
    statusRemark: row.status_remark,
    pUserId: row.p_user_id,
    timeZone: row.time_zone,
    zoneSince: row.zone_since,
    sealedNumber: row.sealed_number,
    first6: row.first_6,
    last4: row.last_4,
    issuerBrand: row.issuer_brand,
    expirationDate: row.expiration_date,
    expiresAt: row.expires_at,
    spendingControls: parseJson(row.spending_controls) as SpendingControls,
    fundingWalletId: row.funding_wallet_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
  }
}
