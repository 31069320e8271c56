import { afterAll, expect, test } from 'vitest'
import { eventually } from '#platform/testing/until'
import { refusalOf } from '#platform/testing/requests'
import { startAnvil } from '../testing/anvil.ts'
import { testChain } from '../testing/chains.ts'
import { balancesOf, createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'

const fixture = await createFixture()
const anvil = await startAnvil()
afterAll(() => anvil.stop())
const sandbox = testChain([anvil.url], { isSandbox: true })
const real = testChain(['http://127.0.0.1:1'], { name: 'real', chainId: 1 })
const wallets = await fixture.startWallets([sandbox])

// Proves reference/sandbox#deposits.
test('a deposit that is sent is read from the chain like any other, once for each request', async () => {
  const { caller } = await fixture.business()
  const wallet = await newWallet(wallets, caller, 'ada')
  const { deposit } = await wallets.sendDeposit(caller, {
    wallet_id: wallet.id,
    amount: '0.500000000000000001',
  })
  expect(deposit).toEqual({
    wallet_id: wallet.id,
    blockchain: 'anvil',
    transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    currency: 'ETH',
    amount: '0.500000000000000001',
  })
  await wallets.sendDeposit(caller, { wallet_id: wallet.id, amount: '1', blockchain: 'anvil' })
  const confirmed = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length === 2,
  )
  expect(confirmed.map(({ transaction_hash }) => transaction_hash)).toContain(deposit.transaction_hash)
  expect(await balancesOf(wallets, caller, 'ada')).toEqual({ ETH: '1.500000000000000001' })
})

test('a live environment has no address on the chain of the sandbox, and what is sent there is not credited', async () => {
  const { caller, businessId } = await fixture.business('live')
  const created = await newWallet(wallets, caller, 'ada')
  expect(created.addresses).toEqual([])
  expect(await refusalOf(wallets.addressQr(caller, created.id, 'anvil'))).toBe('404 blockchain_not_found')
  const { rows } = await fixture.admin.query(`select address from wallets where business_id = $1`, [
    businessId,
  ])
  await anvil.send({ from: anvil.accounts[0], to: rows[0].address, value: '0x1' })
  const head = Number(await anvil.rpc<string>('eth_blockNumber'))
  await eventually(
    () => fixture.admin.query(`select cursor_number from watched_chains where name = 'anvil'`),
    (found) => Number(found.rows[0].cursor_number) >= head,
  )
  // Transfers are stored in one statement with the cursor.
  const stored = await fixture.admin.query(`select from chain_transfers where business_id = $1`, [businessId])
  expect(stored.rowCount).toBe(0)
})

test('a deposit is refused where the chain is not the sandbox’s own, and for a bad wallet, chain or amount', async () => {
  const { caller } = await fixture.business()
  const { id: wallet_id } = await newWallet(wallets, caller, 'bad')
  const onlyReal = fixture.createWallets([real])
  const both = fixture.createWallets([sandbox, real])
  const refused = (by: typeof wallets, change: object) =>
    refusalOf(by.sendDeposit(caller, { wallet_id, amount: '1', ...change }))
  expect(await refused(onlyReal, {})).toBe('409 sandbox_chain_required')
  expect(await refused(both, { blockchain: 'real' })).toBe('409 sandbox_chain_required')
  expect(await refused(both, { blockchain: 'tron' })).toBe('404 blockchain_not_found deposit.blockchain')
  expect(await refused(wallets, { wallet_id: 'wal_absent' })).toBe('404 wallet_not_found deposit.wallet_id')
  for (const amount of ['0', '-1', '0.0000000000000000001', '1e16']) {
    expect(await refused(wallets, { amount })).toBe('422 deposit_invalid deposit.amount')
  }
})

test('a node that is gone, is on another chain or has too little sends nothing and says so', async () => {
  const { caller } = await fixture.business()
  const { id: wallet_id } = await newWallet(wallets, caller, 'gone')
  for (const change of [{ rpcUrls: ['http://127.0.0.1:1'] }, { chainId: 5 }]) {
    const other = fixture.createWallets([{ ...sandbox, ...change }])
    expect(await refusalOf(other.sendDeposit(caller, { wallet_id, amount: '1' }))).toBe(
      '503 sandbox_chain_failed',
    )
  }
  expect(await refusalOf(wallets.sendDeposit(caller, { wallet_id, amount: '1000000' }))).toBe(
    '503 sandbox_chain_failed',
  )
})
