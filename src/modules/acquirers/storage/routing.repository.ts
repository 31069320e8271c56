import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import type { RoutingRule } from '../model/rule.ts'

export interface Routing {
  readonly rules: readonly RoutingRule[]
  readonly version: number
  readonly updatedAt: Instant
}

interface RoutingRow {
  rules: string
  version: number
  updated_at: Instant
}

export async function findRouting(db: Database, businessId: string): Promise<Routing | undefined> {
  const [row] = await db.read<RoutingRow>(
    businessId,
    sql`select rules, version, updated_at from routing_rules where business_id = ${businessId}`,
  )
  return row && toRouting(row)
}

export async function replaceRouting(tx: Tx, rules: readonly RoutingRule[]): Promise<Routing> {
  const [row] = await tx.query<RoutingRow>(sql`
    insert into routing_rules (business_id, rules, updated_at)
    values (${tx.businessId}, ${JSON.stringify(rules)}, ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set rules = excluded.rules, version = routing_rules.version + 1,
           updated_at = greatest(routing_rules.updated_at, excluded.updated_at)
    returning rules, version, updated_at`)
  if (row === undefined) throw new Error('the routing rules were not stored')
  return toRouting(row)
}

function toRouting(row: RoutingRow): Routing {
  return { rules: JSON.parse(row.rules) as RoutingRule[], version: row.version, updatedAt: row.updated_at }
}
