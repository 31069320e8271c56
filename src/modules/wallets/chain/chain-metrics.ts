import { Counter, Gauge, type Registry } from 'prom-client'

export interface ChainMetrics {
  setLag(blockchain: string, lag: { readonly blocks: number; readonly seconds: number }): void
  /** Called while another worker scans the chain and reports its lag. */
  clearLag(blockchain: string): void
  countNodeError(blockchain: string, kind: string): void
  countReorg(blockchain: string): void
}

export function createChainMetrics(registry: Registry): ChainMetrics {
  const blocks = new Gauge({
    name: 'wallet_chain_lag_blocks',
    help: 'Blocks between the cursor and the head of the chain.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  const seconds = new Gauge({
    name: 'wallet_chain_lag_seconds',
    help: 'Age of the newest scanned block.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'wallet_chain_node_errors_total',
    help: 'Failed requests to chain nodes.',
    labelNames: ['blockchain', 'trouble'] as const,
    registers: [registry],
  })
  const reorganisations = new Counter({
    name: 'wallet_chain_reorganisations_total',
    help: 'Reorganisations that replaced scanned blocks.',
    labelNames: ['blockchain'] as const,
    registers: [registry],
  })
  return {
    setLag: (blockchain, lag) => {
      blocks.set({ blockchain }, lag.blocks)
      seconds.set({ blockchain }, lag.seconds)
    },
    clearLag: (blockchain) => {
      blocks.remove({ blockchain })
      seconds.remove({ blockchain })
    },
    countNodeError: (blockchain, kind) => errors.inc({ blockchain, trouble: kind }),
    countReorg: (blockchain) => reorganisations.inc({ blockchain }),
  }
}
