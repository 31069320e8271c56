import { newId } from '#kernel/ids'
import { type Lease, leaseNow } from '#modules/acquirers'

/** A lease on acquirer operations, with a token by which its holder recognizes it. */
export interface OperationLease extends Lease {
  readonly leaseId: string
}

export function newLease(): OperationLease {
  return { ...leaseNow(), leaseId: newId('lse') }
}
