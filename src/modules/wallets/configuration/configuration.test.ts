import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { parseChains, readWalletConfiguration } from './configuration.ts'
import { TEST_ROOT } from '../testing/chains.ts'

const CHAIN = {
  name: 'local',
  chain_id: 31337,
  rpc_urls: ['http://127.0.0.1:8545'],
  confirmations: 3,
  poll_interval_ms: 500,
  native: { symbol: 'ETH', decimals: 18, usd_price: '2500.25' },
  tokens: [{ symbol: 'TKN', address: `0x${'ab'.repeat(20)}`, decimals: 6, usd_price: '0.5' }],
}

function problemsOf(change: object): string {
  try {
    parseChains(JSON.stringify([{ ...CHAIN, ...change }]))
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

// Proves reference/wallets#chains.
test('a chains file is read with exact prices', () => {
  expect(parseChains(JSON.stringify([CHAIN]))).toEqual([
    {
      name: 'local',
      chainId: 31337,
      rpcUrls: ['http://127.0.0.1:8545'],
      confirmations: 3,
      pollIntervalMs: 500,
      native: {
        symbol: 'ETH',
        decimals: 18,
        usdPrice: decimal('2500.25'),
        contractAddress: '',
        cardCurrencies: [],
      },
      tokens: [
        {
          symbol: 'TKN',
          decimals: 6,
          usdPrice: decimal('0.5'),
          contractAddress: expect.stringMatching(/^0x(ab){20}$/i),
          cardCurrencies: [],
        },
      ],
      isSandbox: false,
    },
  ])
})

test('the chains file that docs/wallets.md shows is valid', async () => {
  const document = await readFile(new URL('../../../../docs/wallets.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json\n(.*?)```/s.exec(document) ?? []
  expect(parseChains(text)).toMatchObject([
    { name: 'polygon', tokens: [{ symbol: 'USDT' }, { symbol: 'USDC' }] },
    { name: 'my-chain', pollIntervalMs: 2_000, tokens: [{ cardCurrencies: ['EUR'] }] },
  ])
})

test('a well-known chain needs only RPC URLs and the price of its coin', () => {
  const chains = [
    { name: 'ethereum', rpc_urls: ['https://node.example'], native: { usd_price: '3000' } },
    { name: 'bnb', rpc_urls: ['https://node.example'], native: { usd_price: '600' }, confirmations: 50 },
  ]
  const [ethereum, bnb] = parseChains(JSON.stringify(chains))
  expect(ethereum).toMatchObject({ chainId: 1, confirmations: 'finalized', native: { symbol: 'ETH' } })
  expect(ethereum?.tokens.map((token) => [token.symbol, token.decimals, token.usdPrice])).toEqual([
    ['USDT', 6, decimal(1)],
    ['USDC', 6, decimal(1)],
  ])
  expect(bnb).toMatchObject({ chainId: 56, confirmations: 50 })
  expect(bnb?.tokens.map((token) => token.decimals)).toEqual([18, 18])
})

test.for([
  [{ confirmations: 0 }, /\[0\]\.confirmations must be a whole number/],
  [{ confirmations: 'latest' }, /\[0\]\.confirmations/],
  [{ chain_id: '1' }, /\[0\]\.chain_id/],
  [{ rpc_urls: [] }, /\[0\]\.rpc_urls must list one or more/],
  [{ rpc_urls: ['ftp://secret.example'] }, /\[0\]\.rpc_urls/],
  [{ native: { symbol: 'ETH', decimals: 18 } }, /\[0\]\.native\.usd_price must be a price/],
  [{ native: { symbol: 'ETH', decimals: 18, usd_price: 2500.25 } }, /decimal string/],
  [{ native: { symbol: 'ETH', decimals: 37, usd_price: '1' } }, /\[0\]\.native\.decimals/],
  [{ tokens: [{ ...CHAIN.tokens[0], address: '0x12' }] }, /\[0\]\.tokens\[0\]\.address/],
  [{ tokens: [CHAIN.tokens[0], CHAIN.tokens[0]] }, /must be unique/],
  [{ sandbox: 'yes' }, /\[0\]\.sandbox must be true or false/],
  [{ sandbox: true, native: undefined }, /\[0\]\.native is required where sandbox is true/],
  [{ confirmation: 3 }, /\[0\]\.confirmation is not a known member/],
] as const)('%j is refused with a message that names the member', ([change, message]) => {
  expect(problemsOf(change)).toMatch(message)
  expect(problemsOf(change)).not.toContain('secret.example')
})

test('chains without an extended public key, with an extended private key, or in an unreadable file are refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'quittance-chains-'))
  const chainsFile = join(dir, 'chains.json')
  await writeFile(chainsFile, JSON.stringify([CHAIN]))
  const walletXpub = TEST_ROOT.publicExtendedKey
  expect(readWalletConfiguration({ chainsFile, walletXpub }).chains).toHaveLength(1)
  expect(readWalletConfiguration({ chainsFile: undefined, walletXpub: undefined })).toEqual({ chains: [] })
  expect(() => readWalletConfiguration({ chainsFile, walletXpub: undefined })).toThrow(/needs WALLET_XPUB/)
  expect(() => readWalletConfiguration({ chainsFile, walletXpub: TEST_ROOT.privateExtendedKey })).toThrow(
    /extended private key/,
  )
  const absent = join(dir, 'absent.json')
  expect(() => readWalletConfiguration({ chainsFile: absent, walletXpub })).toThrow(/cannot be read/)
  await writeFile(chainsFile, '{')
  expect(() => readWalletConfiguration({ chainsFile, walletXpub })).toThrow(/must be JSON/)
  await rm(dir, { recursive: true })
})
