import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** The first test vector of BIP-32: its public key, which anybody knows. */
const PUBLISHED_XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'

/** The settings under which wallets have addresses on a chain, whose node is never reached, and can hold USDC. */
export async function walletSettings(): Promise<{ WALLET_XPUB: string; CHAINS_FILE: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chains-'))
  afterAll(() => rm(folder, { recursive: true }))
  const file = join(folder, 'chains.json')
  const chain = {
    name: 'test-chain',
    chain_id: 31337,
    rpc_urls: ['http://127.0.0.1:1'],
    confirmations: 1,
    poll_interval_ms: 60_000,
    native: { symbol: 'ETH', decimals: 18, usd_price: '3000' },
    tokens: [{ symbol: 'USDC', decimals: 6, address: '0x00000000000000000000000000000000000000A1' }],
  }
  await writeFile(file, JSON.stringify([chain]))
  return { WALLET_XPUB: PUBLISHED_XPUB, CHAINS_FILE: file }
}
