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

export interface DisputesContext extends DisputesDependencies {
  readonly present: Presentation
}
