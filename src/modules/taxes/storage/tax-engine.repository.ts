import sql from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { TaxEngine } from '../model/tax-engine.ts'

const ENGINES = table<TaxEngine>('tax_engines', {
  url: 'text',
  timeoutMs: 'integer',
  onSilence: 'text',
  sealedSecret: 'text',
  createdAt: 'timestamptz',
})

export async function findEngine(tx: Tx): Promise<TaxEngine | undefined> {
  const [row] = await tx.query(sql`
    select ${ENGINES.columns} from tax_engines where business_id = ${tx.businessId}`)
  return row && ENGINES.read(row)
}

export async function saveEngine(tx: Tx, engine: TaxEngine): Promise<TaxEngine | undefined> {
  const [row] = await tx.query(sql`
    insert into tax_engines ${ENGINES.values(tx.businessId, [engine])}
    on conflict (business_id) do update
       set url = excluded.url, timeout_ms = excluded.timeout_ms, on_silence = excluded.on_silence
    returning ${ENGINES.columns}`)
  return row && ENGINES.read(row)
}

export async function deleteEngine(tx: Tx): Promise<TaxEngine | undefined> {
  const [row] = await tx.query(sql`
    delete from tax_engines where business_id = ${tx.businessId} returning ${ENGINES.columns}`)
  return row && ENGINES.read(row)
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
