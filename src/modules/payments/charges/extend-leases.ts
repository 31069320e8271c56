import { LEASE_MS, leaseNow } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { extendLeases } from '../storage/operation.repository.ts'
import type { Charge } from './charge.ts'

/** Keeps the resolver away for another 30 s from charges that still wait for their call. */
export function extendChargeLeases(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const operations = charges.map(({ operation }) => operation)
  const dueAt = tx.now.add({ milliseconds: LEASE_MS })
  return extendLeases(tx, operations, { dueAt, leasedUntil: leaseNow().leasedUntil })
}
