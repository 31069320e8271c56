import { newId } from '#kernel/ids'
import type { WalletsDependencies } from '../dependencies.ts'
import { createChainMetrics } from './chain-metrics.ts'
import type { ChainWatcher } from './chain-watcher.ts'

/** Watches all configured chains, each for itself: a chain whose nodes are down delays no other. */
export class Watcher {
  readonly #deps: Omit<WalletsDependencies, 'businesses'>
  #chains: readonly ChainWatcher[] = []
  #starting: Promise<void> | undefined

  constructor(deps: Omit<WalletsDependencies, 'businesses'>) {
    this.#deps = deps
  }

  /** Begins; nodes may be down. To be called once. */
  start(): void {
    if (this.#deps.configuration.chains.length > 0) this.#starting = this.#start()
  }

  /** Loads what reads chains only now, when there are some: it is much. */
  async #start(): Promise<void> {
    const { ChainWatcher } = await import('./chain-watcher.ts')
    const { configuration, registry } = this.#deps
    const holder = newId('wrk')
    const metrics = createChainMetrics(registry)
    this.#chains = configuration.chains.map((chain) => new ChainWatcher(this.#deps, chain, holder, metrics))
    for (const chain of this.#chains) chain.start()
  }

  /** Lets what is under way finish, then lets go of the chains. */
  async stop(): Promise<void> {
    await this.#starting
    await Promise.all(this.#chains.map((chain) => chain.stop()))
    this.#chains = []
  }
}
