import type { Instant } from '#kernel/clock'
import type { SandboxDependencies } from './dependencies.ts'

/** How the clock is shown in stored replies. `api/` supplies it. */
export interface Presentation {
  readonly clock: (now: Instant) => object
}

export interface ClockContext extends Omit<SandboxDependencies, 'simulator'> {
  readonly present: Presentation
}
