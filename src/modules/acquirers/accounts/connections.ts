import { LRUCache } from 'lru-cache'
import type { Environment } from '#platform/caller'
import type { AcquirersDependencies } from '../dependencies.ts'
import { LEASE_MS } from '../port/lease.ts'
import type { ConnectedAcquirer } from '../port/adapter.ts'
import type { Acquirer } from '../port/port.ts'
import { findNotices } from '../storage/notice.repository.ts'
import { credentialsBinding, type SealedAccount } from '../model/account.ts'
import { type AccountStatistics, type ObserveOperation, observed } from './statistics.ts'

/** Accounts with open connections; the one that was used longest ago is closed. */
const MAX_CONNECTIONS = 1_000

export interface Connection {
  readonly version: number
  readonly connected: ConnectedAcquirer
  readonly acquirer: Acquirer
}

export class Connections {
  readonly #deps: AcquirersDependencies
  readonly #statistics: AccountStatistics
  readonly #observe: ObserveOperation
  readonly #retired = new Map<NodeJS.Timeout, ConnectedAcquirer>()
  readonly #open = new LRUCache<string, Connection>({
    max: MAX_CONNECTIONS,
    dispose: ({ connected }) => this.#retire(connected),
  })

  constructor(deps: AcquirersDependencies, statistics: AccountStatistics, observe: ObserveOperation) {
    this.#deps = deps
    this.#statistics = statistics
    this.#observe = observe
  }

  of(businessId: string, environment: Environment, account: SealedAccount): Connection {
    const key = `${businessId} ${account.id}`
    const known = this.#open.get(key)
    // A snapshot that is up to a second old must not replace a newer connection.
    if (known !== undefined && known.version >= account.version) return known
    const connection = this.#connect(businessId, environment, account)
    this.#open.set(key, connection)
    return connection
  }

  async close(): Promise<void> {
    this.#open.clear()
    const retired = [...this.#retired]
    this.#retired.clear()
    await Promise.all(
      retired.map(([timer, connected]) => {
        clearTimeout(timer)
        return connected.disconnect()
      }),
    )
  }

  #connect(businessId: string, environment: Environment, account: SealedAccount): Connection {
    const { adapters, egress, keyring, db, timeoutMs } = this.#deps
    const opened = keyring.open(account.sealedCredentials, credentialsBinding(businessId, account.id))
    const connected = adapters[account.acquirer].connect(
      {
        environment,
        credentials: JSON.parse(opened) as Record<string, string>,
        apiBase: account.apiBase,
        statementDescriptor: account.statementDescriptor,
        methods: account.methods,
        wallets: account.wallets,
        currencies: account.currencies,
        merchantId: account.merchantId,
      },
      {
        connect: egress.connect,
        ...(timeoutMs !== undefined && { timeoutMs }),
        findNotices: (subject) => findNotices(db, businessId, account.id, subject),
      },
    )
    const acquirer = observed(connected, (operation, kind, durationMs) => {
      this.#observe(connected.name, operation, kind, durationMs)
      if (operation === 'sale' || operation === 'authorize') {
        this.#statistics.record(account.id, kind, durationMs)
      }
    })
    return { version: account.version, connected, acquirer }
  }

  #retire(connected: ConnectedAcquirer): void {
    const timer = setTimeout(() => {
      this.#retired.delete(timer)
      connected.disconnect().catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'cannot close a connection to an acquirer')
      })
    }, 2 * LEASE_MS)
    timer.unref()
    this.#retired.set(timer, connected)
  }
}
