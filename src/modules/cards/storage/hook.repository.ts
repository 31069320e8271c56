import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import type { HookDecision } from '../model/authorization.ts'
import type { DecisionHook } from '../model/decision-hook.ts'

interface HookRow {
  url: string
  timeout_ms: number
  timeout_fallback: HookDecision
  sealed_secret: string
  created_at: Instant
}

const COLUMNS = sql`url, timeout_ms, timeout_fallback, sealed_secret, created_at`

export async function findHook(tx: Tx): Promise<DecisionHook | null> {
  const rows = await tx.query<HookRow>(sql`
    select ${COLUMNS} from card_decision_hooks where business_id = ${tx.businessId}`)
  return toHook(rows)
}

export async function saveHook(tx: Tx, hook: DecisionHook): Promise<DecisionHook | null> {
  const rows = await tx.query<HookRow>(sql`
    insert into card_decision_hooks (business_id, url, timeout_ms, timeout_fallback, sealed_secret, created_at)
    values (${tx.businessId}, ${hook.url}, ${hook.timeoutMs}, ${hook.timeoutFallback}, ${hook.sealedSecret},
            ${toRfc3339(hook.createdAt)})
    on conflict (business_id) do update
       set url = excluded.url, timeout_ms = excluded.timeout_ms, timeout_fallback = excluded.timeout_fallback
    returning ${COLUMNS}`)
  return toHook(rows)
}

export async function deleteHook(tx: Tx): Promise<DecisionHook | null> {
  const rows = await tx.query<HookRow>(sql`
    delete from card_decision_hooks where business_id = ${tx.businessId} returning ${COLUMNS}`)
  return toHook(rows)
}

export async function readSealedSecret(db: Database, businessId: string): Promise<string | null> {
  const [row] = await db.read<{ sealed_secret: string }>(
    businessId,
    sql`select sealed_secret from card_decision_hooks where business_id = ${businessId}`,
  )
  return row?.sealed_secret ?? null
}

export async function replaceSealedSecret(tx: Tx, from: string, to: string): Promise<number> {
  return tx.execute(sql`
    update card_decision_hooks set sealed_secret = ${to}
     where business_id = ${tx.businessId} and sealed_secret = ${from}`)
}

function toHook(rows: readonly HookRow[]): DecisionHook | null {
  const [row] = rows
  if (row === undefined) return null
  return {
    url: row.url,
    timeoutMs: row.timeout_ms,
    timeoutFallback: row.timeout_fallback,
    sealedSecret: row.sealed_secret,
    createdAt: row.created_at,
  }
}
