import sql from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { DecisionHook } from '../model/decision-hook.ts'

const HOOKS = table<DecisionHook>('card_decision_hooks', {
  url: 'text',
  timeoutMs: 'integer',
  timeoutFallback: 'text',
  sealedSecret: 'text',
  createdAt: 'timestamptz',
})

export async function findHook(tx: Tx): Promise<DecisionHook | undefined> {
  const [row] = await tx.query(sql`
    select ${HOOKS.columns} from card_decision_hooks where business_id = ${tx.businessId}`)
  return row && HOOKS.read(row)
}

export async function saveHook(tx: Tx, hook: DecisionHook): Promise<DecisionHook | undefined> {
  const [row] = await tx.query(sql`
    insert into card_decision_hooks ${HOOKS.values(tx.businessId, [hook])}
    on conflict (business_id) do update
       set url = excluded.url, timeout_ms = excluded.timeout_ms, timeout_fallback = excluded.timeout_fallback
    returning ${HOOKS.columns}`)
  return row && HOOKS.read(row)
}

export async function deleteHook(tx: Tx): Promise<DecisionHook | undefined> {
  const [row] = await tx.query(sql`
    delete from card_decision_hooks where business_id = ${tx.businessId} returning ${HOOKS.columns}`)
  return row && HOOKS.read(row)
}

export async function readSealedSecret(db: Database, businessId: string): Promise<string | undefined> {
  const [row] = await db.read<{ sealed_secret: string }>(
    businessId,
    sql`select sealed_secret from card_decision_hooks where business_id = ${businessId}`,
  )
  return row?.sealed_secret
}

export async function replaceSealedSecret(tx: Tx, from: string, to: string): Promise<number> {
  return tx.execute(sql`
    update card_decision_hooks set sealed_secret = ${to}
     where business_id = ${tx.businessId} and sealed_secret = ${from}`)
}
