import { LEASE_MS } from '#modules/acquirers'
import type { DisputedPayment, LostPayment } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { DisputesDependencies } from './dependencies.ts'
import type { StagedEvidence } from './model/evidence.ts'
import type { Dispute } from './model/dispute.ts'

export interface DisputeView {
  readonly dispute: Dispute
  readonly evidence: readonly StagedEvidence[]
}

interface Presentation {
  readonly dispute: (view: DisputeView) => object
}

/** Handles what a dispute takes away when it is lost, or gives back when it is won after that, in the transaction that learns of it. */
export type DisputeLostHandler = (tx: Tx, lost: LostPayment) => Promise<void>

/** Handles what a dispute takes of a payment or gives back, in the transaction that learns of it. */
export type DisputedMoneyHandler = (tx: Tx, disputed: DisputedPayment) => Promise<void>

export interface DisputesContext extends DisputesDependencies {
  readonly moneyHandlers: DisputedMoneyHandler[]
  readonly lostHandlers: DisputeLostHandler[]
  readonly present: Presentation
}

export function leaseMsOf({ leaseMs = LEASE_MS }: DisputesContext): number {
  return leaseMs
}
