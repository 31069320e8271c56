import type { Caller } from '#platform/caller'
import type { PortalDependencies } from './dependencies.ts'
import type { Allow } from './model/allow.ts'

/** - `style`: The path of the style sheet of the pages. */
export interface PortalContext extends PortalDependencies {
  readonly style: string
}

/** A customer who acts in the portal, with what the business lets customers do now. */
export interface Visitor {
  readonly caller: Caller
  readonly customerUuid: string
  readonly returnUrl: string | null
  readonly allow: Allow
}
