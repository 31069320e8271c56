import { newId } from '#kernel/ids'
import { type Lease, leaseNow } from '#modules/acquirers'

export interface OperationLease extends Lease {
  readonly leaseId: string
}

export function newLease(): OperationLease {
  return { ...leaseNow(), leaseId: newId('lse') }
}
