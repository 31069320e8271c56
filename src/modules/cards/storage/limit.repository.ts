import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import { givenIds, rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { type CardLimit, LIMIT_PERIODS } from '../model/limit.ts'

const LIMITS = table<CardLimit>('card_limits', {
  id: 'text',
  cardId: 'text',
  period: 'text',
  amountMinor: 'numeric',
  status: 'text',
  effectiveSince: 'timestamptz',
})

export interface LimitChange {
  readonly id: string
  readonly limitId: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly remark: string
  readonly createdAt: Instant
}

export async function insertLimits(tx: Tx, limits: readonly CardLimit[]): Promise<void> {
  if (limits.length === 0) return
  await tx.execute(sql`
    insert into card_limits (business_id, id, card_id, period, amount_minor, status, effective_since, created_at)
    select ${tx.businessId}, id, card_id, period, amount_minor, status, effective_since, effective_since
      from ${newLimits(limits)}`)
}

const newLimits = LIMITS.rowsAs('input')
const changedLimits = LIMITS.only('id', 'amountMinor', 'status').rowsAs('input')

const limitChanges = rowsAs<CardLimit>('input', {
  id: ['text', () => newId('lch')],
  card_id: ['text', (limit) => limit.cardId],
  limit_id: ['text', (limit) => limit.id],
  amount_minor: ['numeric', (limit) => limit.amountMinor.toString()],
})

export async function updateLimits(
  tx: Tx,
  limits: readonly CardLimit[],
  remark: string,
  at: Instant,
): Promise<void> {
  const time = toRfc3339(at)
  await Promise.all([
    tx.execute(sql`
      update card_limits l set amount_minor = input.amount_minor, status = input.status, effective_since = ${time}
        from ${changedLimits(limits)}
       where l.business_id = ${tx.businessId} and l.id = input.id`),
    tx.execute(sql`
      insert into card_limit_changes (business_id, id, card_id, limit_id, amount_minor, remark, created_at)
      select ${tx.businessId}, input.*, ${remark}, ${time}
        from ${limitChanges(limits)}`),
  ])
}

export async function findLimits(tx: Tx, cardIds: readonly string[]): Promise<Map<string, CardLimit[]>> {
  const rows = await tx.query(sql`
    select l.*
      from ${givenIds(cardIds)}
     cross join lateral (
           select ${LIMITS.columns} from card_limits
            where business_id = ${tx.businessId} and card_id = given.id
            limit ${LIMIT_PERIODS.length}) l`)
  return Map.groupBy(rows.map(LIMITS.read), (limit) => limit.cardId)
}

export async function findCardIdOfLimit(tx: Tx, limitId: string): Promise<string | null> {
  const [row] = await tx.query<{ card_id: string }>(sql`
    select card_id from card_limits where business_id = ${tx.businessId} and id = ${limitId}`)
  return row?.card_id ?? null
}

export async function listLimitChanges(
  tx: Tx,
  cardId: string,
  limitId: string | null,
  page: PageRequest,
): Promise<LimitChange[]> {
  const limitCondition = limitId === null ? empty : sql`and h.limit_id = ${limitId}`
  const rows = await tx.query<{
    id: string
    limit_id: string
    amount_minor: bigint
    currency: string
    remark: string
    created_at: Instant
  }>(sql`
    select h.id, h.limit_id, h.amount_minor, c.settlement_currency as currency, h.remark, h.created_at
      from card_limit_changes h
      join cards c on c.business_id = h.business_id and c.id = h.card_id
     where h.business_id = ${tx.businessId} and h.card_id = ${cardId} ${limitCondition}
     ${rowsOfPage(page, sql`h.created_at`, sql`h.id`)}`)
  return rows.map((row) => ({
    id: row.id,
    limitId: row.limit_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    remark: row.remark,
    createdAt: row.created_at,
  }))
}
