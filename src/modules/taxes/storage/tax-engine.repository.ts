import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import type { TaxEngine } from '../model/tax-engine.ts'

interface EngineRow {
  url: string
  timeout_ms: number
  on_silence: TaxEngine['onSilence']
  sealed_secret: string
  created_at: Instant
}

const COLUMNS = sql`url, timeout_ms, on_silence, sealed_secret, created_at`

export async function findEngine(tx: Tx): Promise<TaxEngine | undefined> {
  const [row] = await tx.query<EngineRow>(sql`
    select ${COLUMNS} from tax_engines where business_id = ${tx.businessId}`)
  return row && toEngine(row)
}

export async function saveEngine(tx: Tx, engine: TaxEngine): Promise<TaxEngine | undefined> {
  const [row] = await tx.query<EngineRow>(sql`
    insert into tax_engines (business_id, url, timeout_ms, on_silence, sealed_secret, created_at)
    values (${tx.businessId}, ${engine.url}, ${engine.timeoutMs}, ${engine.onSilence}, ${engine.sealedSecret},
            ${toRfc3339(engine.createdAt)})
    on conflict (business_id) do update
       set url = excluded.url, timeout_ms = excluded.timeout_ms, on_silence = excluded.on_silence
    returning ${COLUMNS}`)
  return row && toEngine(row)
}

export async function deleteEngine(tx: Tx): Promise<TaxEngine | undefined> {
  const [row] = await tx.query<EngineRow>(sql`
    delete from tax_engines where business_id = ${tx.businessId} returning ${COLUMNS}`)
  return row && toEngine(row)
}

export async function readSealedSecret(db: Database, businessId: string): Promise<string | undefined> {
  const [row] = await db.read<{ sealed_secret: string }>(
    businessId,
    sql`select sealed_secret from tax_engines where business_id = ${businessId}`,
  )
  return row?.sealed_secret
}

export function replaceSealedSecret(tx: Tx, from: string, to: string): Promise<number> {
  return tx.execute(sql`
    update tax_engines set sealed_secret = ${to}
     where business_id = ${tx.businessId} and sealed_secret = ${from}`)
}

function toEngine(row: EngineRow): TaxEngine {
  return {
    url: row.url,
    timeoutMs: row.timeout_ms,
    onSilence: row.on_silence,
    sealedSecret: row.sealed_secret,
    createdAt: row.created_at,
  }
}
