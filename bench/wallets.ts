/**
 * Measures how many blocks a second the watcher scans, with transfers in every tenth block, against the time in which the
 * node serves the same requests. The watcher runs in this process, on its own database.
 */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { newId } from '#kernel/ids'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { EventLog } from '#platform/events/events'
import { migrate } from '#platform/postgres/migrations/migrate'
// Imported here, because the watcher imports it at its start, which is not measured.
import '../src/modules/wallets/chain/chain-watcher.ts'
import { Watcher } from '../src/modules/wallets/chain/watcher.ts'
import type { WalletsContext } from '../src/modules/wallets/context.ts'
import { contextOf } from '../src/modules/wallets/module.ts'
import { TRANSFER_TOPIC } from '../src/modules/wallets/node/rpc-responses.ts'
import { createWallet } from '../src/modules/wallets/addresses/create-wallet.ts'
import { AddressDeriver } from '../src/modules/wallets/addresses/deposit-address.ts'
import { type Anvil, startAnvil } from '../src/modules/wallets/testing/anvil.ts'
import { asset, testChain, TEST_ROOT } from '../src/modules/wallets/testing/chains.ts'
import { deployToken, type TestToken } from '../src/modules/wallets/testing/token.ts'
import { withDatabase } from './support/database.ts'
import { report } from './support/report.ts'

const TARGET_RATIO = 0.5
const WALLETS = 200
const TRANSFERS_EVERY_TENTH_BLOCK = 20
/** The largest request sizes of the watcher. */
const BATCH_SIZE = 50
const CONCURRENT_BATCHES = 2
const RANGE_BLOCKS = 1_024

/** @param postgresUrl of a superuser */
export async function benchWallets(postgresUrl: string, blocks: number): Promise<boolean> {
  const name = 'quittance_bench_wallets'
  await execute(postgresUrl, `drop database if exists ${name} with (force)`)
  await execute(postgresUrl, `create database ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const anvil = await startAnvil({ args: ['--prune-history'] })
  try {
    return await measure(url.toString(), anvil, blocks)
  } finally {
    await anvil.stop()
    await execute(postgresUrl, `drop database ${name} with (force)`)
  }
}

async function execute(url: string, statement: string): Promise<void> {
  await withDatabase(url, (database) => database.query(statement))
}

async function measure(url: string, anvil: Anvil, blocks: number): Promise<boolean> {
  await migrate(url)
  const token = await deployToken(anvil)
  const db = new PlainDatabase({ url })
  const ctx = contextOf({
    db,
    events: new EventLog(),
    businesses: { profile: async () => ({ number: 1, environment: 'test' as const }) },
    configuration: {
      chains: [testChain([anvil.url], { tokens: [asset('USDC', 6, token.address)], pollIntervalMs: 10 })],
      deriver: new AddressDeriver(TEST_ROOT.publicExtendedKey),
    },
    log: pino({ level: 'warn' }),
    registry: new Registry(),
  })
  const watcher = new Watcher(ctx)
  try {
    const transfers = await fill(anvil, token, await makeAddresses(url, ctx), blocks)
    const head = Number(await anvil.rpc<string>('eth_blockNumber'))
    // The node is measured before and after, because its caches may make it faster.
    const nodeBefore = await queryNode(anvil, token.address, head)
    const watcherS = await scanBacklog(url, watcher, head, transfers)
    const node = Math.min(nodeBefore, await queryNode(anvil, token.address, head))
    console.log(`wallet deposits of a backlog: ${(transfers / watcherS).toFixed(0)} transfers/s`)
    return report({
      name: 'blocks scanned in a backlog',
      unit: 'blocks/s',
      ours: head / watcherS,
      limit: head / node,
      limitName: 'the node alone',
      aim: TARGET_RATIO,
    })
  } finally {
    await watcher.stop()
    await db.close()
  }
}

async function makeAddresses(url: string, ctx: WalletsContext): Promise<string[]> {
  const businessId = newId('biz')
  await execute(url, `insert into business_clocks (business_id) values ('${businessId}')`)
  const caller = {
    businessId,
    businessCode: 'b',
    environment: 'test',
    appId: 'a',
    actor: { type: 'api_key', id: 'k' },
    requestId: 'r',
  } as const
  const addresses: string[] = []
  for (let i = 0; i < WALLETS; i++) {
    const { wallet } = await createWallet(ctx, caller, `user ${i}`)
    addresses.push(wallet.address ?? '')
  }
  return addresses
}

/** Resolves to the number of transfers. */
async function fill(
  anvil: Anvil,
  token: TestToken,
  addresses: readonly string[],
  blocks: number,
): Promise<number> {
  await anvil.rpc('evm_setAutomine', false)
  let sent = 0
  for (let block = 0; block < blocks; block += 10) {
    const receivers = Array.from(
      { length: TRANSFERS_EVERY_TENTH_BLOCK },
      () => addresses[sent++ % addresses.length] ?? '',
    )
    await token.sendAll(receivers.map((to) => ({ to, units: 1_000_000n })))
    await anvil.mine(10)
  }
  return sent
}

/** Seconds until the last block is scanned and every transfer is confirmed. */
async function scanBacklog(url: string, watcher: Watcher, head: number, transfers: number): Promise<number> {
  return withDatabase(url, async (database) => {
    const startedMs = performance.now()
    watcher.start()
    for (;;) {
      const { rows } = await database.query<{ cursor: string | null; confirmed: string }>(
        `select (select cursor_number from watched_chains) as cursor,
                (select count(*) from wallet_transactions where state = 'confirmed') as confirmed`,
      )
      if (Number(rows[0]?.cursor) >= head && Number(rows[0]?.confirmed) === transfers) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return (performance.now() - startedMs) / 1_000
  })
}

/** Seconds in which the node serves the same blocks and logs in the same batches. */
async function queryNode(node: Anvil, contract: string, head: number): Promise<number> {
  const startedMs = performance.now()
  for (let from = 0; from <= head; from += RANGE_BLOCKS) {
    const to = Math.min(head, from + RANGE_BLOCKS - 1)
    for (let first = from; first <= to; first += BATCH_SIZE * CONCURRENT_BATCHES) {
      const batches = [first, first + BATCH_SIZE].filter((start) => start <= to)
      await Promise.all(
        batches.map((start) =>
          rpcBatch(
            node,
            Array.from({ length: Math.min(BATCH_SIZE, to - start + 1) }, (_, index) => ({
              method: 'eth_getBlockByNumber',
              params: [`0x${(start + index).toString(16)}`, true],
            })),
          ),
        ),
      )
    }
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
    await rpcBatch(node, [
      { method: 'eth_getLogs', params: [{ address: [contract], topics: [TRANSFER_TOPIC], ...range }] },
    ])
  }
  return (performance.now() - startedMs) / 1_000
}

async function rpcBatch(
  node: Anvil,
  requests: readonly { method: string; params: readonly unknown[] }[],
): Promise<void> {
  const body = JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request })))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node.url, { method: 'POST', headers, body })
  await response.arrayBuffer()
}
