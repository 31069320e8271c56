import { firstIdAt } from '#kernel/ids'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'
import { RETENTION_DAYS } from '../model/timings.ts'

export const DELIVERIES_TABLE: PartitionedTable = {
  name: 'deliveries',
  period: 'month',
  boundOf: (start) => firstIdAt('dlv', start.epochMilliseconds),
  keepDays: RETENTION_DAYS,
}
