import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Payout } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { rowsAs } from '#platform/postgres/rows'
import { composed, table } from '#platform/postgres/table'

export const PAYOUT_STATES = ['pending', 'paid', 'failed', 'canceled'] as const
export const LINE_STATES = ['pending', 'complete', 'unavailable'] as const

export interface PaidOut {
  readonly id: string
  readonly amount: Money
  readonly state: Payout['state']
  readonly arrivesAt: Instant
  readonly lines: (typeof LINE_STATES)[number]
}

export interface Reconciliation {
  readonly id: string
  readonly accountId: string
  readonly day: string | null
  readonly payout: PaidOut | null
  readonly createdAt: Instant
}

const RECONCILIATIONS = table<Reconciliation>('r', {
  id: 'text',
  accountId: 'text',
  day: 'date',
  payout: composed(
    ['payout_id', 'payout_currency', 'payout_minor', 'payout_state', 'payout_arrives_at', 'lines'],
    readPayout,
    {},
  ),
  createdAt: 'timestamptz',
})

export function listReconciliations(
  tx: Tx,
  accountId: string | undefined,
  page: PageRequest,
): Promise<Reconciliation[]> {
  const ofAccount = accountId === undefined ? sql`true` : sql`r.account_id = ${accountId}`
  return select(tx, sql`${ofAccount} ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`)
}

export async function findReconciliation(tx: Tx, id: string): Promise<Reconciliation | undefined> {
  const [found] = await select(tx, sql`r.id = ${id}`)
  return found
}

export async function nextPendingPayout(tx: Tx, accountId: string): Promise<Reconciliation | undefined> {
  const [found] = await select(
    tx,
    sql`r.account_id = ${accountId} and r.lines = 'pending' order by r.created_at, r.id limit 1`,
  )
  return found
}

export async function setLines(tx: Tx, id: string, lines: PaidOut['lines']): Promise<void> {
  await tx.execute(sql`
    update reconciliations set lines = ${lines} where business_id = ${tx.businessId} and id = ${id}`)
}

const payoutRows = rowsAs<Payout & { readonly recordId: string }>('p', {
  id: ['text', (payout) => payout.recordId],
  payout_id: ['text', (payout) => payout.id],
  currency: ['text', (payout) => payout.currency],
  amount_minor: ['numeric', (payout) => payout.amountMinor.toString()],
  state: ['text', (payout) => payout.state],
  arrives_at: ['timestamptz', (payout) => toRfc3339(payout.arrivesAt)],
  created_at: ['timestamptz', (payout) => toRfc3339(payout.createdAt)],
})

export async function savePayouts(tx: Tx, accountId: string, payouts: readonly Payout[]): Promise<void> {
  if (payouts.length === 0) return
  const recorded = payouts.map((payout) => ({ ...payout, recordId: newId('rec') }))
  await tx.execute(sql`
    insert into reconciliations (business_id, id, account_id, payout_id, payout_currency, payout_minor, payout_state,
                                 payout_arrives_at, lines, created_at)
    select ${tx.businessId}, p.id, ${accountId}, p.payout_id, p.currency, p.amount_minor, p.state, p.arrives_at, 'pending',
           p.created_at
      from ${payoutRows(recorded)}
    on conflict (business_id, account_id, payout_id) where payout_id is not null do update
       set payout_state = excluded.payout_state, payout_arrives_at = excluded.payout_arrives_at`)
}

const dayRows = rowsAs<{ readonly id: string; readonly day: string }>('d', {
  id: ['text', ({ id }) => id],
  day: ['date', ({ day }) => day],
})

export async function reconciliationsOfDays(
  tx: Tx,
  accountId: string,
  days: readonly string[],
): Promise<Map<string, string>> {
  const found = await idsOfDays(tx, accountId, days)
  const missing = days.filter((day) => !found.has(day)).map((day) => ({ id: newId('rec'), day }))
  if (missing.length === 0) return found
  await tx.execute(sql`
    insert into reconciliations (business_id, id, account_id, day, created_at)
    select ${tx.businessId}, d.id, ${accountId}, d.day, d.day::timestamp at time zone 'UTC' from ${dayRows(missing)}
    on conflict (business_id, account_id, day) where day is not null do nothing`)
  return idsOfDays(tx, accountId, days)
}

async function idsOfDays(tx: Tx, accountId: string, days: readonly string[]): Promise<Map<string, string>> {
  if (days.length === 0) return new Map()
  const rows = await tx.query<{ id: string; day: string }>(sql`
    select id, day from reconciliations
     where business_id = ${tx.businessId} and account_id = ${accountId} and day = any((select ${[...days]}::date[])::date[])`)
  return new Map(rows.map(({ id, day }) => [day, id]))
}

async function select(tx: Tx, condition: Sql): Promise<Reconciliation[]> {
  const rows = await tx.query(sql`
    select ${RECONCILIATIONS.columns} from reconciliations r where r.business_id = ${tx.businessId} and ${condition}`)
  return rows.map(RECONCILIATIONS.read)
}

function readPayout(
  id: string | null,
  currency: string | null,
  minor: bigint | null,
  state: PaidOut['state'] | null,
  arrivesAt: Instant | null,
  lines: PaidOut['lines'] | null,
): PaidOut | null {
  if (id === null || currency === null || minor === null || state === null) return null
  if (arrivesAt === null || lines === null) return null
  return { id, amount: Money.ofMinor(currency, minor), state, arrivesAt, lines }
}
