import { newId } from '#kernel/ids'
import type { WalletsDependencies } from '../dependencies.ts'
import { createChainMetrics } from './chain-metrics.ts'
import type { ChainWatcher } from './chain-watcher.ts'

export class Watcher {
  readonly #deps: Omit<WalletsDependencies, 'businesses'>
  #chains: readonly ChainWatcher[] = []
  #starting: Promise<void> | undefined

  constructor(deps: Omit<WalletsDependencies, 'businesses'>) {
    this.#deps = deps
  }

  start(): void {
    if (this.#deps.configuration.chains.length > 0) this.#starting = this.#start()
  }

  /** Imports the scanner here, because its libraries need much memory and most services configure no chain. */
  async #start(): Promise<void> {
    const { ChainWatcher } = await import('./chain-watcher.ts')
    const { configuration, registry } = this.#deps
    const leaseHolder = newId('wrk')
    const metrics = createChainMetrics(registry)
    this.#chains = configuration.chains.map(
      (chain) => new ChainWatcher(this.#deps, chain, leaseHolder, metrics),
    )
    for (const chain of this.#chains) chain.start()
  }

  async stop(): Promise<void> {
    await this.#starting
    await Promise.all(this.#chains.map((chain) => chain.stop()))
    this.#chains = []
  }
}
