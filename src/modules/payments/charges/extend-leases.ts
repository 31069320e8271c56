import { leaseNow } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { firstInquiryAt } from '../outcomes/inquiry-schedule.ts'
import { extendOperationLeases } from '../storage/operation.repository.ts'
import type { Charge } from '../model/charge.ts'

export function extendChargeLeases(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const operations = charges.map(({ operation }) => operation)
  return extendOperationLeases(tx, operations, {
    dueAt: firstInquiryAt(tx.now),
    leasedUntil: leaseNow().until,
  })
}
