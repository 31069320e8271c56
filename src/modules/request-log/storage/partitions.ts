import { toRfc3339 } from '#kernel/clock'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'

export function requestLogTables(days: number): PartitionedTable[] {
  return ['request_log', 'request_log_keys'].map((name) => ({
    name,
    period: 'day',
    boundOf: toRfc3339,
    keepDays: Math.max(days, 1),
  }))
}
