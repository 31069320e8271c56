import type { readWalletConfiguration as read, WalletConfiguration } from './configuration.ts'

/** As its namesake. What knows addresses and chains is a sixth of an idle service's memory: it is loaded where they are configured. */
export async function readWalletConfiguration(
  config: Parameters<typeof read>[0],
): Promise<WalletConfiguration> {
  if (config.chainsFile === undefined && config.walletXpub === undefined) {
    return { chains: [], deriver: undefined }
  }
  const configuration = await import('./configuration.ts')
  return configuration.readWalletConfiguration(config)
}
