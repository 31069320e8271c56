import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '#platform/testing/clean-up'

const BIP32_TEST_VECTOR_XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'

/** Settings of one chain with USDC. Without a node they name one that refuses connections. */
export async function walletSettings(
  nodeUrl?: string,
  { sandbox = false } = {},
): Promise<{ WALLET_XPUB: string; CHAINS_FILE: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chains-'))
  cleanUp(() => rm(folder, { recursive: true }))
  const file = join(folder, 'chains.json')
  const chain = {
    name: 'test-chain',
    chain_id: 31337,
    rpc_urls: [nodeUrl ?? 'http://127.0.0.1:1'],
    confirmations: 1,
    poll_interval_ms: nodeUrl === undefined ? 60_000 : 500,
    native: { symbol: 'ETH', decimals: 18, usd_price: '3000' },
    sandbox,
    tokens: [{ symbol: 'USDC', decimals: 6, address: '0x00000000000000000000000000000000000000A1' }],
  }
  await writeFile(file, JSON.stringify([chain]))
  return { WALLET_XPUB: BIP32_TEST_VECTOR_XPUB, CHAINS_FILE: file }
}
