/**
 * Reads the plan of every statement that runs on a worker of Citus. PostgreSQL alone must plan statements of tenants, on the
 * tables of one shard, because a plan of Citus may ask another node. Only statements with a table that other nodes also have
 * may have a plan of Citus (docs/decisions/0076-tenants-live-on-nodes).
 */
import pg from 'pg'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { type CitusNode, onServer, withDatabase } from '#platform/testing/postgres'

const PLAN = /^duration: [\d.]+ ms +plan:\nQuery Text: ([\s\S]*?)\n(?=[^\n]*\(cost=)([\s\S]*)$/
const CITUS_NODE = /Custom Scan \(Citus|Foreign Scan/

const found = new Set<string>()
let count = 0
let sharedTables = /^$/

export async function watchPlans(url: string, nodes: readonly CitusNode[], name: string): Promise<void> {
  readNotices()
  sharedTables = await onServer(withDatabase(url, name), async (client) => {
    const { rows } = await client.query<{ names: string }>(
      `select string_agg(name, '|') as names from placements where placement in ('reference', 'coordinator')`,
    )
    return new RegExp(`\\b(${rows[0]?.names})(_\\d+)?\\b`)
  })
  for (const { host, port } of nodes.filter(({ isCoordinator }) => !isCoordinator)) {
    await onServer(urlOnHost(url, host, port), async (client) => {
      const settings = {
        session_preload_libraries: 'auto_explain',
        'auto_explain.log_min_duration': '0',
        'auto_explain.log_level': 'notice',
        'auto_explain.log_nested_statements': 'on',
      }
      for (const [key, value] of Object.entries(settings)) {
        await client.query(`alter database ${name} set ${key} = '${value}'`)
      }
    })
  }
}

let isReading = false

function readNotices(): void {
  if (isReading) return
  isReading = true
  const emit = Reflect.get(pg.Client.prototype, 'emit') as (event: string, ...values: unknown[]) => boolean
  Object.assign(pg.Client.prototype, {
    emit(this: pg.Client, event: string, ...values: unknown[]): boolean {
      if (event === 'notice') readPlan((values[0] as Error).message)
      return Reflect.apply(emit, this, [event, ...values])
    },
  })
}

function readPlan(notice: string): void {
  const [, statement, plan] = PLAN.exec(notice) ?? []
  if (statement === undefined || plan === undefined) return
  count++
  // Citus runs a part of a statement without its text.
  if (!CITUS_NODE.test(plan) || sharedTables.test(statement || plan)) return
  found.add(`${statement}\n${plan}`)
}

export function takePlans(): { count: number; ofCitus: string[] } {
  const taken = { count, ofCitus: [...found] }
  count = 0
  found.clear()
  return taken
}
