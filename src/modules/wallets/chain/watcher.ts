import { newId } from '#kernel/ids'
import { ConfigError } from '#platform/config'
import type { WalletsNeeds } from '../needs.ts'
import { createChainMetrics } from './chain-metrics.ts'
import { ChainWatcher } from './chain-watcher.ts'
import { registerChain } from './chain.repository.ts'

/** Watches all configured chains, each for itself: a chain whose nodes are down delays no other. */
export class Watcher {
  readonly #needs: WalletsNeeds
  #chains: readonly ChainWatcher[] = []

  constructor(needs: WalletsNeeds) {
    this.#needs = needs
  }

  /**
   * Makes the chains known and begins; nodes may be down. Throws `ConfigError` when a chain's name stood for another
   * chain before: its deposits would be mixed up.
   */
  async start(): Promise<void> {
    const { configuration, db, registry } = this.#needs
    if (configuration.chains.length === 0) return
    for (const chain of configuration.chains) {
      const chainId = await registerChain(db, chain.name, chain.chainId)
      if (chainId !== chain.chainId) {
        throw new ConfigError([
          `CHAINS_FILE: ${chain.name} was chain ${chainId} before; give chain ${chain.chainId} another name.`,
        ])
      }
    }
    const holder = newId('wrk')
    const metrics = createChainMetrics(registry)
    this.#chains = configuration.chains.map((chain) => new ChainWatcher(this.#needs, chain, holder, metrics))
    for (const chain of this.#chains) chain.start()
  }

  /** Lets what is under way finish, then lets go of the chains. */
  async stop(): Promise<void> {
    await Promise.all(this.#chains.map((chain) => chain.stop()))
    this.#chains = []
  }
}
