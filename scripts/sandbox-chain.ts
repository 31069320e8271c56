import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startAnvil } from '../src/modules/wallets/testing/anvil.ts'
import { TEST_ROOT } from '../src/modules/wallets/testing/chains.ts'

/** Starts a development node whose chain lasts in the data directory, and prints the settings with which a service watches it. */
const folder = resolve(process.env['DATA_DIR'] || 'data', 'sandbox-chain')
await mkdir(folder, { recursive: true })
const port = Number(process.env['SANDBOX_CHAIN_PORT'] || 8545)
const anvil = await startAnvil({ port, args: ['--state', join(folder, 'state.json')] })
const file = join(folder, 'chains.json')
const chain = {
  name: 'sandbox',
  chain_id: 31337,
  rpc_urls: [anvil.url],
  confirmations: 1,
  poll_interval_ms: 1000,
  sandbox: true,
  native: { symbol: 'USDC', decimals: 18, usd_price: '1' },
}
await writeFile(file, `${JSON.stringify([chain], null, 2)}\n`)
process.stdout.write(`The chain of the sandbox is at ${anvil.url}. Start the service with:
CHAINS_FILE=${file} WALLET_XPUB=${TEST_ROOT.publicExtendedKey} npm start
`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void anvil.stop())
