import { afterAll, expect, test } from 'vitest'
import { eventually } from '#platform/testing/until'
import { startAnvil } from '../testing/anvil.ts'
import { asset, testChain } from '../testing/chains.ts'
import { balancesOf, createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'
import { deployToken } from '../testing/token.ts'

const fixture = await createFixture()
const anvil = await startAnvil()
afterAll(() => anvil.stop())
const token = await deployToken(anvil)
const sender = anvil.accounts[0] ?? ''
const tokens = [asset('USDC', 6, token.address)]
const [slowly, fast] = ['slowly', 'fast'].map((name) =>
  testChain([anvil.url], { name, tokens, confirmations: name === 'fast' ? 1 : 4 }),
)
if (slowly === undefined || fast === undefined) throw new Error('no chains')
const wallets = await fixture.startWallets([fast])
const { caller, businessId } = await fixture.business()

async function untilScanned(block: number, chain = 'fast') {
  await eventually(
    () => fixture.admin.query('select cursor_number from watched_chains where name = $1', [chain]),
    ({ rows }) => Number(rows[0]?.cursor_number) >= block,
  )
}

const headNumber = async () => Number(await anvil.rpc<string>('eth_blockNumber'))

// Proves reference/wallets#reorganisations, reference/wallets#confirmations.
test('a confirmed deposit is reversed by a reorg and credited once when another block includes it', async () => {
  await wallets.setFeeRule(caller, { type: 'business', fixed_fee: '0.10', percentage_fee: '2' })
  const wallet = await newWallet(wallets, caller, 'again')
  await anvil.mine()
  const snapshot = await anvil.rpc('evm_snapshot')
  const hash = await token.transfer(wallet.address, 5_000_000n)
  await token.transfer(wallet.address, 1n)
  const [, first] = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length === 2,
  )
  await anvil.rpc('evm_revert', snapshot)
  await anvil.mine(3)
  const gone = await eventually(
    () => transactionsOf(wallets, caller, wallet, 'reorged'),
    (transactions) => transactions.length === 2,
  )
  expect(gone[1]).toEqual({ ...first, state: 'reorged' })
  expect(await balancesOf(wallets, caller, 'again')).toEqual({ USDC: '0.000000' })
  expect(await fixture.breaches(businessId)).toEqual([])

  expect(await token.transfer(wallet.address, 5_000_000n)).toBe(hash)
  const [second] = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length > 0,
  )
  expect(second).toMatchObject({ transaction_hash: hash, amount: '5.000000', calculated_fee: '0.20' })
  expect(second?.id).not.toBe(first?.id)
  expect(second?.block_hash).not.toBe(first?.block_hash)
  expect(await transactionsOf(wallets, caller, wallet)).toHaveLength(1)
  expect(await balancesOf(wallets, caller, 'again')).toEqual({ USDC: '5.000000' })
  expect(await fixture.eventsOf(businessId, first?.id ?? '')).toEqual([
    'wallet.transaction.confirmed',
    'wallet.transaction.reorged',
  ])
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('a reorg of 400 blocks is detected after a restart', async () => {
  const wallet = await newWallet(wallets, caller, 'deep')
  const snapshot = await anvil.rpc('evm_snapshot')
  await token.transfer(wallet.address, 1_000_000n)
  await anvil.send({ from: sender, to: wallet.address, value: '0x5' })
  await anvil.mine(400)
  await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length === 2,
  )
  await untilScanned(await headNumber())
  await fixture.stopWallets(wallets)
  await anvil.rpc('evm_revert', snapshot)
  await token.transfer(wallet.address, 2_000_000n)
  await anvil.mine(350)
  const restarted = await fixture.startWallets([fast])
  const transactions = await eventually(
    () => transactionsOf(restarted, caller, wallet),
    (all) => all[0]?.amount === '2.000000',
  )
  expect(transactions).toHaveLength(1)
  expect(await transactionsOf(restarted, caller, wallet, 'reorged')).toHaveLength(2)
  expect(await balancesOf(restarted, caller, 'deep')).toMatchObject({ USDC: '2.000000' })
  expect(await fixture.breaches(businessId)).toEqual([])
  await fixture.stopWallets(restarted)
})

test('a deposit is pending until its block is deep enough, and a reorg before that never credits it', async () => {
  const other = await fixture.startWallets([slowly])
  const wallet = await newWallet(other, caller, 'pending')
  const state = async () => {
    const states = ['pending', 'confirmed', 'reorged'] as const
    const transactions = await Promise.all(states.map((one) => transactionsOf(other, caller, wallet, one)))
    return states.filter((_, index) => transactions[index]?.length === 1).join()
  }
  await token.transfer(wallet.address, 3n)
  await eventually(state, (now) => now === 'pending')
  await anvil.mine(2)
  await untilScanned(await headNumber(), 'slowly')
  expect(await state()).toBe('pending')
  expect(await balancesOf(other, caller, 'pending')).toEqual({})
  await anvil.mine()
  await eventually(state, (now) => now === 'confirmed')
  expect(await balancesOf(other, caller, 'pending')).toEqual({ USDC: '0.000003' })
  const [deposit] = await transactionsOf(other, caller, wallet)
  expect(await fixture.eventsOf(businessId, deposit?.id ?? '')).toEqual([
    'wallet.transaction.pending',
    'wallet.transaction.confirmed',
  ])

  const early = await newWallet(other, caller, 'early')
  await token.transfer(early.address, 4n)
  const [pending] = await eventually(
    () => transactionsOf(other, caller, early, 'pending'),
    (transactions) => transactions.length === 1,
  )
  await anvil.rpc('anvil_reorg', 2, [])
  await eventually(
    () => transactionsOf(other, caller, early, 'reorged'),
    (transactions) => transactions.length === 1,
  )
  expect(await fixture.eventsOf(businessId, pending?.id ?? '')).toEqual([
    'wallet.transaction.pending',
    'wallet.transaction.reorged',
  ])
  const { rows } = await fixture.admin.query('select 1 from wallet_entries where object_id = $1', [
    pending?.id,
  ])
  expect(rows).toEqual([])
  expect(await fixture.breaches(businessId)).toEqual([])
  await fixture.stopWallets(other)
})

test('with confirmations "finalized" a deposit waits until the node has finalized its block', async () => {
  const name = 'final'
  const other = await fixture.startWallets([
    testChain([anvil.url], { name, tokens, confirmations: 'finalized' }),
  ])
  const wallet = await newWallet(other, caller, 'final')
  await token.transfer(wallet.address, 6n)
  const [pending] = await eventually(
    () => transactionsOf(other, caller, wallet, 'pending'),
    (transactions) => transactions.length === 1,
  )
  const block = pending?.block_number ?? 0
  const finalized = await anvil.rpc<{ number: string }>('eth_getBlockByNumber', 'finalized', false)
  await anvil.mine(block - Number(finalized.number) - 1)
  await untilScanned(await headNumber(), name)
  expect(await transactionsOf(other, caller, wallet, 'pending')).toHaveLength(1)
  await anvil.mine()
  await eventually(
    () => transactionsOf(other, caller, wallet),
    (transactions) => transactions.length === 1,
  )
  await fixture.stopWallets(other)
})

test('a deposit is confirmed again when its reorged block becomes canonical again', async () => {
  const wallet = await newWallet(wallets, caller, 'back')
  const restarted = await fixture.startWallets([fast])
  await token.transfer(wallet.address, 8n)
  const [before] = await eventually(
    () => transactionsOf(restarted, caller, wallet),
    (transactions) => transactions.length === 1,
  )
  await fixture.stopWallets(restarted)
  // Simulates a scan of another branch: the stored hashes belong to blocks that the node never had.
  await fixture.admin.query(
    `update watched_blocks set hash = '0x' || repeat('00', 31) || '01' where chain = 'fast' and number >= $1`,
    [before?.block_number],
  )
  await fixture.admin.query(
    `update watched_chains set cursor_hash = '0x' || repeat('00', 31) || '01' where name = 'fast'`,
  )
  await anvil.mine()
  const once = await fixture.startWallets([fast])
  await eventually(
    () => fixture.eventsOf(businessId, before?.id ?? ''),
    (events) => events.length === 3,
  )
  expect(await fixture.eventsOf(businessId, before?.id ?? '')).toEqual([
    'wallet.transaction.confirmed',
    'wallet.transaction.reorged',
    'wallet.transaction.confirmed',
  ])
  expect(await transactionsOf(once, caller, wallet)).toEqual([before])
  expect(await balancesOf(once, caller, 'back')).toEqual({ USDC: '0.000008' })
  expect(await fixture.breaches(businessId)).toEqual([])
})
