import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { eventually } from '#platform/testing/until'
import { startAnvil } from '../testing/anvil.ts'
import { startFaultyNode } from '../testing/faulty-node.ts'
import { asset, testChain } from '../testing/chains.ts'
import { createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'
import { deployToken } from '../testing/token.ts'

const fixture = await createFixture()
const anvil = await startAnvil()
const proxy = await startFaultyNode(anvil.url)
afterAll(() => Promise.all([anvil.stop(), proxy.stop()]))
const token = await deployToken(anvil)
const tokens = [asset('USDC', 6, token.address)]
const { caller } = await fixture.business()

const cursorOf = async (name: string) => {
  const { rows } = await fixture.admin.query<{ cursor_number: string | null }>(
    'select cursor_number from watched_chains where name = $1',
    [name],
  )
  return Number(rows[0]?.cursor_number ?? -1)
}
const caughtUp = async (name: string) => {
  const head = Number(await anvil.rpc<string>('eth_blockNumber'))
  await eventually(
    () => cursorOf(name),
    (cursor) => cursor >= head,
  )
}

/** Waits for the next log line about a failure of the chain's node. */
const untilFailing = async (name: string, reason = '') => {
  const failures = () =>
    fixture.logged.filter((line) => line.includes(`"blockchain":"${name}"`) && line.includes(reason)).length
  const before = failures()
  await eventually(failures, (count) => count > before)
}

test('a worker with a slow node keeps its lease while a faster worker waits', async () => {
  const name = 'slow'
  const holder = async () => {
    const { rows } = await fixture.admin.query<{ lease_holder: string | null }>(
      'select lease_holder from watched_chains where name = $1',
      [name],
    )
    return rows[0]?.lease_holder
  }
  const slow = await fixture.startWallets([testChain([proxy.url], { name })])
  await caughtUp(name)
  const first = await holder()
  proxy.delayMs = 8_000
  const quick = await fixture.startWallets([testChain([anvil.url], { name })])
  const until = Date.now() + 7_500
  while (Date.now() < until) {
    expect(await holder()).toBe(first)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  proxy.delayMs = 0
  await fixture.stopWallets(slow)
  await anvil.mine()
  await caughtUp(name)
  await fixture.stopWallets(quick)
})

// Proves reference/wallets#deposits.
test('a scan continues without loss after the node was down, and a chain with another genesis is refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'quittance-anvil-'))
  const args = ['--state', join(dir, 'state.json')]
  const port = await freePort()
  const name = 'down'
  // The address is given out before the first contact with the node.
  const wallets = await fixture.startWallets([testChain([`http://127.0.0.1:${port}`], { name })])
  const wallet = await newWallet(wallets, caller, 'down')
  let node = await startAnvil({ port, args })
  const sender = node.accounts[0] ?? ''
  await node.send({ from: sender, to: wallet.address, value: '0x1' })
  await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length === 1,
  )
  await node.send({ from: sender, to: wallet.address, value: '0x2' })
  await node.stop()
  await untilFailing(name)
  node = await startAnvil({ port, args })
  await node.send({ from: sender, to: wallet.address, value: '0x3' })
  const transactions = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (all) => all.length === 3,
  )
  expect(transactions.map((one) => one.amount.slice(-1)).sort()).toEqual(['1', '2', '3'])

  await node.stop('SIGKILL')
  // Two anvils that start in the same second have the same genesis, so this one gets another time.
  const impostor = await startAnvil({ port, args: ['--timestamp', '1700000000'] })
  await impostor.send({ from: sender, to: wallet.address, value: '0x4' })
  await impostor.mine(20)
  await untilFailing(name, 'genesis block')
  expect(await transactionsOf(wallets, caller, wallet)).toHaveLength(3)
  expect(await transactionsOf(wallets, caller, wallet, 'reorged')).toHaveLength(0)
  await impostor.stop()
  await fixture.stopWallets(wallets)
  await rm(dir, { recursive: true })
})

test('a node that refuses large ranges and batches gets smaller ones', async () => {
  const name = 'small'
  const refused = { error: { code: -32005, message: 'query returned more than 10000 results' } }
  proxy.fault = ({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
    return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10 ? refused : undefined
  }
  proxy.maxBatchSize = 5
  const wallets = await fixture.startWallets([testChain([proxy.url], { name, tokens })])
  const wallet = await newWallet(wallets, caller, 'small')
  await token.transfer(wallet.address, 1n)
  await anvil.mine(150)
  await caughtUp(name)
  await token.transfer(wallet.address, 2n)
  await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (transactions) => transactions.length === 2,
  )
  await fixture.stopWallets(wallets)
  proxy.fault = () => undefined
  proxy.maxBatchSize = 1_000
})

test.for([
  ['is on another chain', { eth_chainId: { result: '0x1' } }],
  ['sends invalid JSON', { eth_getBlockByNumber: 'bad json' }],
  ['closes the connection', { eth_getLogs: 'hang up' }],
  ['fails with status 500', { eth_getBlockByNumber: 'http 500' }],
  ['sends malformed logs', { eth_getLogs: { result: [{ topics: 7, removed: true }] } }],
  ['sends a malformed block', { eth_getBlockByNumber: { result: { number: '0x1', hash: 'x' } } }],
] as const)(
  'a node that %s is replaced by the next one, and its responses are discarded',
  async ([failure, faults]) => {
    const name = failure.replaceAll(' ', '-')
    proxy.fault = ({ method }) => (faults as Record<string, { result: unknown } | 'hang up'>)[method]
    const wallets = await fixture.startWallets([testChain([proxy.url, anvil.url], { name, tokens })])
    const wallet = await newWallet(wallets, caller, name)
    await token.transfer(wallet.address, 5n)
    const transactions = await eventually(
      () => transactionsOf(wallets, caller, wallet),
      (all) => all.length > 0,
    )
    expect(transactions).toMatchObject([{ amount: '0.000005', blockchain: name }])
    await fixture.stopWallets(wallets)
    proxy.fault = () => undefined
  },
)

test('logs that a lagging node omits from a range are found by the bloom of the block', async () => {
  const name = 'lagging'
  const first = await fixture.startWallets([testChain([anvil.url], { name, tokens })])
  const wallet = await newWallet(first, caller, 'lagging')
  await caughtUp(name)
  await fixture.stopWallets(first)
  await token.transfer(wallet.address, 77n)
  await anvil.mine(10)
  proxy.fault = ({ method, params }) =>
    method === 'eth_getLogs' && !('blockHash' in (params[0] as object)) ? { result: [] } : undefined
  const wallets = await fixture.startWallets([testChain([proxy.url], { name, tokens })])
  const transactions = await eventually(
    () => transactionsOf(wallets, caller, wallet),
    (all) => all.length > 0,
  )
  expect(transactions).toMatchObject([{ amount: '0.000077' }])
  proxy.fault = () => undefined
})
