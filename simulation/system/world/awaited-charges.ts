import { readFile } from 'node:fs/promises'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'

/**
 * Whether the acquirer has booked a charge that a change of a plan waits for, while the database knows no outcome of it. Exact only
 * while all processes of the service are paused.
 */
export async function isBetweenChargeAndChange(
  url: string,
  { log, isBooking }: Pick<SimulatedAcquirer, 'log' | 'isBooking'>,
): Promise<boolean> {
  const keys = await withOwnerConnection(url, async (connection) => {
    const { rows } = await connection.query<{ id: string }>(`
      select t.id
        from recurring_plans p
        join transactions t on t.business_id = p.business_id and t.order_id = p.pending_change -> 'payment' ->> 'order_id'
       where p.pending_change ->> 'payment' is not null and t.state in ('initiated', 'pending', 'unknown')`)
    return rows.map(({ id }) => id)
  })
  if (keys.length === 0) return false
  const bookings = (await readFile(log, 'latin1')).split('\n').filter(isBooking)
  return bookings.some((line) => keys.some((key) => line.includes(key)))
}
