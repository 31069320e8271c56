import { newId } from '#kernel/ids'
import type { WalletsContext } from '../context.ts'
import { type ChainMetrics, createChainMetrics } from './chain-metrics.ts'
import type { ChainWatcher } from './chain-watcher.ts'

export class Watcher {
  readonly #ctx: WalletsContext
  readonly #metrics: ChainMetrics | undefined
  #chains: readonly ChainWatcher[] = []
  #starting: Promise<void> | undefined

  constructor(ctx: WalletsContext) {
    this.#ctx = ctx
    if (ctx.configuration.chains.length > 0) this.#metrics = createChainMetrics(ctx.registry)
  }

  start(): void {
    if (this.#metrics !== undefined) this.#starting = this.#start(this.#metrics)
  }

  /** Imports the scanner here, because its libraries need much memory and most services configure no chain. */
  async #start(metrics: ChainMetrics): Promise<void> {
    const { ChainWatcher } = await import('./chain-watcher.ts')
    const { configuration } = this.#ctx
    const leaseHolder = newId('wrk')
    this.#chains = configuration.chains.map(
      (chain) => new ChainWatcher(this.#ctx, chain, leaseHolder, metrics),
    )
    for (const chain of this.#chains) chain.start()
  }

  async stop(): Promise<void> {
    await this.#starting
    await Promise.all(this.#chains.map((chain) => chain.stop()))
    this.#chains = []
  }
}
