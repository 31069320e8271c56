import type { Environment } from '#platform/caller'
import { errors } from './errors.ts'
import type { ConnectedAcquirer } from './port/adapter.ts'
import type { Acquirer } from './port/port.ts'
import { type Router, SIMULATOR_ACCOUNT } from './routing/router.ts'

export interface AcquirersDependencies {
  readonly simulator: Acquirer
}

interface Tenant {
  readonly businessId: string
  readonly environment: Environment
}

export class Acquirers {
  readonly #simulator: Acquirer

  constructor({ simulator }: AcquirersDependencies) {
    this.#simulator = simulator
  }

  /** Routes payments of the tenant by what is configured now. Cached for a second. */
  async router({ environment }: Tenant): Promise<Router> {
    if (environment === 'live') return { first: null, route: () => [], account: () => null }
    const { name, merchantId, capabilities } = this.#simulator
    const simulator = { id: SIMULATOR_ACCOUNT, acquirerName: name, merchantId, capabilities }
    return {
      first: simulator,
      route: () => [simulator],
      account: (id) => (id === SIMULATOR_ACCOUNT ? simulator : null),
    }
  }

  /** An account at a real acquirer, also if it has been disabled. Throws 503 if it is unknown. */
  async connected(_businessId: string, _accountId: string): Promise<ConnectedAcquirer> {
    throw errors.acquirer_not_configured()
  }

  /** Opens the account of an earlier operation, also if it has been disabled since. Throws 503 if it is unknown. */
  async open(_businessId: string, accountId: string): Promise<Acquirer> {
    if (accountId !== SIMULATOR_ACCOUNT) throw errors.acquirer_not_configured()
    return this.#simulator
  }
}
