import { afterAll, expect, test } from 'vitest'
import { eventually } from '#platform/testing/until'
import { deployFakeTransferToken, deployToken, makeReverting, nextContractAddress } from '../testing/token.ts'
import { startAnvil } from '../testing/anvil.ts'
import { asset, testChain } from '../testing/chains.ts'
import { balancesOf, createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'

const fixture = await createFixture()
const anvil = await startAnvil()
afterAll(() => anvil.stop())
const LARGEST = 2n ** 256n - 1n
const usdc = await deployToken(anvil)
const dai = await deployToken(anvil)
const huge = await deployToken(anvil, {
  supply: LARGEST,
  // The module must never read a token's own name and symbol.
  name: `"; drop table wallets; --${'\u202e'.repeat(50)}<script>`.repeat(20),
  symbol: 'USDC',
})
const unknown = await deployToken(anvil, { symbol: 'USDC' })
const { caller, businessId } = await fixture.business()
const chains = [
  testChain([anvil.url], {
    tokens: [
      asset('USDC', 6, usdc.address),
      asset('DAI', 18, dai.address),
      asset('HUGE', 0, huge.address, '0.000001'),
    ],
  }),
]
const wallets = await fixture.startWallets(chains)
const sender = anvil.accounts[0] ?? ''

/** Waits for `count` confirmed transactions and checks that another block adds none. */
async function confirmed(wallet: { id: string; p_user_id: string }, count: number) {
  await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length >= count,
  )
  const block = Number(await anvil.rpc<string>('eth_blockNumber'))
  await anvil.mine()
  await eventually(
    () => fixture.admin.query(`select cursor_number from watched_chains where name = 'anvil'`),
    ({ rows }) => Number(rows[0].cursor_number) > block,
  )
  const transactions = await transactionsOf(wallets, caller, wallet)
  expect(transactions).toHaveLength(count)
  return transactions
}

// Proves reference/wallets#deposits, reference/wallets#amounts, reference/wallets#fees.
test('deposits of tokens with 6 and 18 decimals and of the native coin are credited once, with every digit', async () => {
  await wallets.setFeeRule(caller, { type: 'business', fixed_fee: '0.30', percentage_fee: '1.5' })
  const wallet = await newWallet(wallets, caller, 'three')
  const hash = await usdc.transfer(wallet.address, 1_234_567n)
  await dai.transfer(wallet.address, 10n ** 18n + 1n)
  await anvil.send({ from: sender, to: wallet.address, value: '0x16345785d8a0001' })
  const [native, long, short] = await confirmed(wallet, 3)
  const receipt = await anvil.rpc<{ blockHash: string }>('eth_getTransactionReceipt', hash)
  const block = await anvil.rpc<{ timestamp: string }>('eth_getBlockByHash', receipt.blockHash, false)
  expect(short).toMatchObject({
    id: expect.stringMatching(/^wtx_/),
    blockchain: 'anvil',
    block_hash: receipt.blockHash,
    transaction_hash: hash,
    contract_address: usdc.address,
    destination_address: wallet.address,
    currency: 'USDC',
    amount: '1.234567',
    amount_in_usd: '1.23',
    calculated_fee: '0.32',
    state: 'confirmed',
    p_created_at: Temporal.Instant.fromEpochMilliseconds(Number(block.timestamp) * 1000).toString({
      smallestUnit: 'millisecond',
    }),
  })
  expect(short?.source_address.toLowerCase()).toBe(sender.toLowerCase())
  expect(long).toMatchObject({ currency: 'DAI', amount: '1.000000000000000001', amount_in_usd: '1.00' })
  expect(native).toMatchObject({
    currency: 'ETH',
    contract_address: '',
    amount: '0.100000000000000001',
    amount_in_usd: '250.05',
    calculated_fee: '4.05',
  })
  expect(await balancesOf(wallets, caller, 'three')).toEqual({
    DAI: '1.000000000000000001',
    ETH: '0.100000000000000001',
    USDC: '1.234567',
  })
  expect(await fixture.eventsOf(businessId, short?.id ?? '')).toEqual(['wallet.transaction.confirmed'])
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('dust and the largest amount that a token can hold are kept to the last unit, and each owes the fixed fee', async () => {
  await wallets.setFeeRule(caller, { type: 'user', user_id: 'edge', fixed_fee: '1', percentage_fee: '0' })
  const wallet = await newWallet(wallets, caller, 'edge')
  await usdc.transfer(wallet.address, 1n)
  await huge.transfer(wallet.address, LARGEST)
  const [largest, dust] = await confirmed(wallet, 2)
  expect(dust).toMatchObject({ amount: '0.000001', amount_in_usd: '0.00', calculated_fee: '1.00' })
  expect(largest).toMatchObject({ currency: 'HUGE', amount: `${LARGEST}.00`, calculated_fee: '1.00' })
  expect(await balancesOf(wallets, caller, 'edge')).toEqual({ HUGE: `${LARGEST}.00`, USDC: '0.000001' })
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('unknown tokens, transfers of 0 units and reverted transactions are ignored', async () => {
  const wallet = await newWallet(wallets, caller, 'nothing')
  await unknown.transfer(wallet.address, 5_000_000n)
  await usdc.transfer(wallet.address, 0n)
  await makeReverting(anvil, wallet.address)
  await anvil.send({ from: sender, to: wallet.address, value: '0x1', gas: '0x30d40' })
  await anvil.rpc('anvil_setCode', wallet.address, '0x')
  await anvil.send({ from: sender, to: wallet.address, value: '0x0' })
  await usdc.transfer(wallet.address, 7n)
  expect(await confirmed(wallet, 1)).toMatchObject([{ amount: '0.000007' }])
})

test('a transfer of an address to itself is ignored', async () => {
  const wallet = await newWallet(wallets, caller, 'itself')
  await usdc.transfer(wallet.address, 7n)
  await anvil.send({ from: sender, to: wallet.address, value: '0xde0b6b3a7640000', gas: '0x5208' })
  await anvil.rpc('anvil_impersonateAccount', wallet.address)
  await usdc.transfer(wallet.address, 5n, wallet.address)
  await anvil.send({ from: wallet.address, to: wallet.address, value: '0x1', gas: '0x5208' })
  await confirmed(wallet, 2)
  expect(await balancesOf(wallets, caller, 'itself')).toEqual({
    ETH: '1.000000000000000000',
    USDC: '0.000007',
  })
})

test('malformed transfer logs of a configured token are ignored', async () => {
  const wallet = await newWallet(wallets, caller, 'malformed')
  const address = await nextContractAddress(anvil, sender)
  const other = await fixture.startWallets([
    testChain([anvil.url], {
      name: 'other',
      tokens: [asset('BAD', 18, address), asset('USDC', 6, usdc.address)],
    }),
  ])
  expect(await deployFakeTransferToken(anvil, wallet.address)).toBe(address)
  await usdc.transfer(wallet.address, 9n)
  const transactions = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (all) => all.some((one) => one.blockchain === 'other'),
  )
  expect(transactions.filter((one) => one.blockchain === 'other')).toMatchObject([{ amount: '0.000009' }])
  await fixture.stopWallets(other)
})

test('1,000 transfers in one block become 1,000 transactions', async () => {
  const wallet = await newWallet(wallets, caller, 'many')
  await anvil.rpc('evm_setAutomine', false)
  await usdc.sendAll(
    Array.from({ length: 1_000 }, (_, index) => ({ to: wallet.address, units: BigInt(index + 1) })),
  )
  await anvil.mine()
  await anvil.rpc('evm_setAutomine', true)
  const transactions = await confirmed(wallet, 1_000)
  expect(new Set(transactions.map((one) => one.block_hash)).size).toBe(1)
  expect(new Set(transactions.map((one) => one.amount)).size).toBe(1_000)
  expect(await balancesOf(wallets, caller, 'many')).toEqual({ USDC: '0.500500' })
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('each business gets only its own deposits of a shared block', async () => {
  const [first, second] = [await fixture.business(), await fixture.business()]
  const one = await newWallet(wallets, first.caller, 'same')
  const two = await newWallet(wallets, second.caller, 'same')
  expect(one.address).not.toBe(two.address)
  await anvil.rpc('evm_setAutomine', false)
  await usdc.sendAll([
    { to: one.address, units: 11n },
    { to: two.address, units: 22n },
  ])
  await anvil.mine()
  await anvil.rpc('evm_setAutomine', true)
  for (const [owner, wallet, amount] of [
    [first.caller, one, '0.000011'],
    [second.caller, two, '0.000022'],
  ] as const) {
    const transactions = await eventually(
      () => transactionsOf(wallets, owner, wallet),
      (all) => all.length > 0,
    )
    expect(transactions).toMatchObject([{ amount }])
  }
  await expect(transactionsOf(wallets, first.caller, two)).rejects.toMatchObject({ status: 404 })
})
