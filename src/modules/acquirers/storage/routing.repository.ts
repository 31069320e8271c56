import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { json, table } from '#platform/postgres/table'
import type { RoutingRule } from '../model/rule.ts'

export interface Routing {
  readonly rules: readonly RoutingRule[]
  readonly version: number
  readonly updatedAt: Instant
}

const ROUTING = table<Routing>('routing_rules', {
  rules: json(),
  version: 'integer',
  updatedAt: 'timestamptz',
})

export async function findRouting(db: Database, businessId: string): Promise<Routing | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${ROUTING.columns} from routing_rules where business_id = ${businessId}`,
  )
  return row && ROUTING.read(row)
}

export async function replaceRouting(tx: Tx, rules: readonly RoutingRule[]): Promise<Routing> {
  const [row] = await tx.query(sql`
    insert into routing_rules (business_id, rules, updated_at)
    values (${tx.businessId}, ${JSON.stringify(rules)}, ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set rules = excluded.rules, version = routing_rules.version + 1,
           updated_at = greatest(routing_rules.updated_at, excluded.updated_at)
    returning ${ROUTING.columns}`)
  if (row === undefined) throw new Error('the routing rules were not stored')
  return ROUTING.read(row)
}
