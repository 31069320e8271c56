import type { Instant } from '#kernel/clock'
import type { Batches } from '#platform/batches/batches'
import type { Authorization } from './model/authorization.ts'
import type { Card } from './model/card.ts'
import type { Decision, DecisionRequest } from './model/decision.ts'
import type { CardsDependencies } from './dependencies.ts'
import type { CardLimit } from './model/limit.ts'
import type { Usage } from './model/usage.ts'

export interface CardView {
  readonly card: Card
  readonly limits: readonly CardLimit[]
  readonly usage: Usage
  readonly at: Instant
}

/** How objects are shown in events and in stored replies. `api/` supplies it, so that use cases know nothing of the API. */
interface Presentation {
  readonly card: (view: CardView) => object
  readonly authorization: (authorization: Authorization) => object
}

export interface CardsContext extends CardsDependencies {
  readonly present: Presentation
}

export interface DecidingContext extends CardsContext {
  readonly decisions: Batches<DecisionRequest, Decision>
}
