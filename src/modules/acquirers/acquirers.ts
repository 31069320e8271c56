import type { Environment } from '#platform/caller'
import { errors } from './errors.ts'
import type { Acquirer } from './port/port.ts'

export class Acquirers {
  readonly #configured: Readonly<Record<Environment, Acquirer | undefined>>

  constructor(configured: { readonly test: Acquirer; readonly live?: Acquirer }) {
    this.#configured = { test: configured.test, live: configured.live }
  }

  /** Throws 503 `acquirer_not_configured` in a live environment without an acquirer. */
  forBusiness(business: { readonly environment: Environment }): Acquirer {
    const acquirer = this.#configured[business.environment]
    if (acquirer === undefined) throw errors.acquirer_not_configured()
    return acquirer
  }
}
