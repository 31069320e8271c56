import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '#platform/testing/until'
import { startAnvil } from '../testing/anvil.ts'
import { asset, testChain } from '../testing/chains.ts'
import { createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'
import { deployToken } from '../testing/token.ts'

const fixture = await createFixture()
const anvil = await startAnvil({ args: ['--prune-history'] })
afterAll(() => anvil.stop())
const token = await deployToken(anvil)
const tokens = [asset('USDC', 6, token.address)]
const { caller, businessId } = await fixture.business()

const cursorOf = async (name: string) => {
  const { rows } = await fixture.admin.query<{ cursor_number: string | null }>(
    'select cursor_number from watched_chains where name = $1',
    [name],
  )
  return Number(rows[0]?.cursor_number ?? -1)
}
const headOf = async () => Number(await anvil.rpc<string>('eth_blockNumber'))
const caughtUp = async (name: string) => {
  const head = await headOf()
  await eventually(
    () => cursorOf(name),
    (cursor) => cursor >= head,
  )
}

function startWorker(name: string) {
  const chain = {
    name,
    chain_id: 31337,
    rpc_urls: [anvil.url],
    confirmations: 1,
    poll_interval_ms: 25,
    native: { symbol: 'ETH', decimals: 18, usd_price: '2500.5' },
    tokens: [{ symbol: 'USDC', address: token.address, decimals: 6 }],
  }
  const program = fileURLToPath(new URL('../testing/worker.ts', import.meta.url))
  return spawn(process.execPath, [program, fixture.url, JSON.stringify([chain])], { stdio: 'inherit' })
}

// Proves reference/wallets#deposits.
test('a backlog of 2,000 blocks with a restart and two killed workers yields every transfer exactly once', async () => {
  const name = 'backlog'
  const chains = [testChain([anvil.url], { name, tokens })]
  const idle = await fixture.startWallets(chains)
  const wallet = await newWallet(idle, caller, 'patient')
  await caughtUp(name)
  await fixture.stopWallets(idle)
  const sent: bigint[] = []
  for (let i = 0; i < 10; i++) {
    const units = BigInt(1_000 + i)
    sent.push(units)
    await token.transfer(wallet.address, units)
    await anvil.mine(200)
  }
  const from = await cursorOf(name)
  expect((await headOf()) - from).toBeGreaterThanOrEqual(2_000)

  // A killed worker does not release its lease, so the next one waits some seconds for its end.
  const untilScanned = async (share: number) =>
    eventually(
      () => cursorOf(name),
      (cursor) => cursor > from + share * 2_000,
    )
  const stopped = await fixture.startWallets(chains)
  await untilScanned(0.1)
  await fixture.stopWallets(stopped)
  for (const share of [0.3, 0.6]) {
    const worker = startWorker(name)
    await untilScanned(share)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    expect(await cursorOf(name)).toBeLessThan(await headOf())
  }

  const wallets = await fixture.startWallets(chains)
  await caughtUp(name)
  const transactions = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (all) => all.length >= sent.length,
  )
  expect(transactions.map((one) => BigInt(one.amount.replace('.', '')))).toEqual([...sent].reverse())
  expect(await fixture.breaches(businessId)).toEqual([])
  await fixture.stopWallets(wallets)
})

test('several workers on one chain credit every transfer once, and another continues when one stops', async () => {
  const name = 'shared'
  const chains = [testChain([anvil.url], { name, tokens, pollIntervalMs: 10 })]
  const workers = await Promise.all([1, 2, 3].map(() => fixture.startWallets(chains)))
  const [first] = workers
  if (first === undefined) throw new Error('no worker')
  const wallet = await newWallet(first, caller, 'shared')
  for (let i = 0; i < 30; i++) {
    await token.transfer(wallet.address, BigInt(i + 1))
    // Ending leases early makes the workers compete for the chain.
    if (i % 3 === 0) {
      await fixture.admin.query('update watched_chains set lease_holder = null where name = $1', [name])
    }
    const stopping = i === 10 || i === 20 ? workers.pop() : undefined
    if (stopping !== undefined) await fixture.stopWallets(stopping)
  }
  await caughtUp(name)
  const transactions = await eventually(
    () => transactionsOf(first, caller, wallet),
    (all) => all.length >= 30,
  )
  expect(new Set(transactions.map((one) => one.amount)).size).toBe(30)
  expect(transactions).toHaveLength(30)
  expect(await fixture.breaches(businessId)).toEqual([])
  for (const worker of workers) await fixture.stopWallets(worker)
})
