import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import type { Suppression, SuppressionKind } from '../model/suppression.ts'

const SUPPRESSIONS = table<Suppression>('suppressions', {
  address: 'text',
  kind: 'text',
  createdAt: 'timestamptz',
})

/** By address in lower case. */
export async function findSuppressions(
  tx: Tx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, SuppressionKind>> {
  if (addresses.length === 0) return new Map()
  const lower = [...new Set(addresses.map((address) => address.toLowerCase()))]
  const rows = await tx.query<{ address: string; kind: SuppressionKind }>(sql`
    select address, kind from suppressions where business_id = ${tx.businessId} and ${isOneOf(sql`address`, lower)}`)
  return new Map(rows.map(({ address, kind }) => [address, kind]))
}

const newSuppressions = rowsAs<readonly [address: string, kind: SuppressionKind]>('n', {
  address: ['text', ([address]) => address],
  kind: ['text', ([, kind]) => kind],
})

/** The stronger one stays. Addresses are locked in their order. */
export async function suppress(
  tx: Tx,
  suppressed: readonly (readonly [address: string, kind: SuppressionKind])[],
  at: Instant,
): Promise<void> {
  if (suppressed.length === 0) return
  const byAddress = new Map(suppressed.map(([address, kind]) => [address.toLowerCase(), kind]))
  await tx.execute(sql`
    insert into suppressions (business_id, address, kind, created_at)
    select ${tx.businessId}, n.address, n.kind, ${toRfc3339(at)}
      from ${newSuppressions([...byAddress])} order by n.address
    on conflict (business_id, address) do update
       set kind = excluded.kind, created_at = excluded.created_at
     where suppressions.kind <> 'hard' and (excluded.kind = 'hard' or suppressions.kind = 'unsubscribe')
       and suppressions.kind <> excluded.kind`)
}

export async function listSuppressions(
  db: Database,
  businessId: string,
  page: PageRequest,
): Promise<Suppression[]> {
  const rows = await db.read(
    businessId,
    sql`select ${SUPPRESSIONS.columns} from suppressions
         where business_id = ${businessId} and true ${rowsOfPage(page, sql`created_at`, sql`address`)}`,
  )
  return rows.map(SUPPRESSIONS.read)
}

export async function deleteSuppression(tx: Tx, address: string): Promise<Suppression | undefined> {
  const [row] = await tx.query(sql`
    delete from suppressions where business_id = ${tx.businessId} and address = ${address.toLowerCase()}
    returning ${SUPPRESSIONS.columns}`)
  return row && SUPPRESSIONS.read(row)
}
