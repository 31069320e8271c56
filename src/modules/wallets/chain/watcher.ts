import { newId } from '#kernel/ids'
import type { WalletsDependencies } from '../dependencies.ts'
import { type ChainMetrics, createChainMetrics } from './chain-metrics.ts'
import type { ChainWatcher } from './chain-watcher.ts'

export class Watcher {
  readonly #deps: Omit<WalletsDependencies, 'businesses'>
  readonly #metrics: ChainMetrics | undefined
  #chains: readonly ChainWatcher[] = []
  #starting: Promise<void> | undefined

  constructor(deps: Omit<WalletsDependencies, 'businesses'>) {
    this.#deps = deps
    if (deps.configuration.chains.length > 0) this.#metrics = createChainMetrics(deps.registry)
  }

  start(): void {
    if (this.#metrics !== undefined) this.#starting = this.#start(this.#metrics)
  }

  /** Imports the scanner here, because its libraries need much memory and most services configure no chain. */
  async #start(metrics: ChainMetrics): Promise<void> {
    const { ChainWatcher } = await import('./chain-watcher.ts')
    const { configuration } = this.#deps
    const leaseHolder = newId('wrk')
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
