import type { Instant } from '#kernel/clock'
import type { SandboxDependencies } from './dependencies.ts'

export interface Presentation {
  readonly clock: (now: Instant) => object
}

export interface ClockContext extends Omit<SandboxDependencies, 'simulator'> {
  readonly present: Presentation
}
