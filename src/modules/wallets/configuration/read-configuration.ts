import type { readWalletConfiguration as read, WalletConfiguration } from './configuration.ts'

/** Loads the libraries for chains only when chains are configured: they are a sixth of an idle service's memory. */
export async function readWalletConfiguration(
  config: Parameters<typeof read>[0],
): Promise<WalletConfiguration> {
  if (config.chainsFile === undefined && config.walletXpub === undefined) {
    return { chains: [], deriver: undefined }
  }
  const configuration = await import('./configuration.ts')
  return configuration.readWalletConfiguration(config)
}
