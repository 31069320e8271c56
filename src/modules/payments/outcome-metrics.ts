import type { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { addDatabaseGauge } from '#platform/observability/metrics'

export function addOutcomeMetrics(registry: Registry, db: Pick<Database, 'shared'>): void {
  addDatabaseGauge(registry, {
    name: 'payment_outcomes_unknown',
    help: 'Payments, captures, refunds and voids of all businesses whose outcome is not known yet.',
    labelNames: [],
    read: async () => {
      const rows = await db.shared.query<{ unknown: bigint }>(
        sql`select quittance_open_outcomes() as unknown`,
      )
      return rows.map(({ unknown }) => ({ labels: {}, value: Number(unknown) }))
    },
  })
}
