import { Counter, Gauge, type Registry } from 'prom-client'

/** How far each chain is behind, for Prometheus. The only label is the chain. */
export interface ChainMetrics {
  observe(blockchain: string, lag: { readonly blocks: number; readonly seconds: number }): void
  /** Another worker reads the chain: its figures are the true ones. */
  forget(blockchain: string): void
  countNodeError(blockchain: string, trouble: string): void
  countReorganisation(blockchain: string): void
}

export function createChainMetrics(registry: Registry): ChainMetrics {
  const blocks = new Gauge({
    name: 'wallet_chain_lag_blocks',
    help: 'Blocks of the chain that have not been read yet.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  const seconds = new Gauge({
    name: 'wallet_chain_lag_seconds',
    help: 'Age of the newest block read.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'wallet_chain_node_errors_total',
    help: 'Answers of chain nodes that could not be used.',
    labelNames: ['blockchain', 'trouble'] as const,
    registers: [registry],
  })
  const reorganisations = new Counter({
    name: 'wallet_chain_reorganisations_total',
    help: 'Reorganisations of the chain that reached blocks already read.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  return {
    observe: (blockchain, lag) => {
      blocks.set({ blockchain }, lag.blocks)
      seconds.set({ blockchain }, lag.seconds)
    },
    forget: (blockchain) => {
      blocks.remove({ blockchain })
      seconds.remove({ blockchain })
    },
    countNodeError: (blockchain, trouble) => errors.inc({ blockchain, trouble }),
    countReorganisation: (blockchain) => reorganisations.inc({ blockchain }),
  }
}
