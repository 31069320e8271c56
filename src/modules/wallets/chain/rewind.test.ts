import { pino } from 'pino'
import { expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/database'
import { EventLog, type NewEvent } from '#platform/events'
import { untilWaiting } from '#platform/testing/database'
import { testChain } from '../testing/chains.ts'
import { balancesOf, createFixture, newWallet } from '../testing/fixture.ts'
import {
  beginAt,
  type Cursor,
  type LeasedChain,
  registerChain,
  rewind,
  setFinalized,
  storeWindow,
  takeLease,
} from './chain.repository.ts'
import type { FoundTransfer, Window } from './read-window.ts'
import { tellTenants } from './tell-tenants.ts'

const fixture = await createFixture()
const log = pino({ level: 'silent' })

const block = (number: number, branch: string) => ({
  number,
  hash: `0x${branch}${number}`,
  time: 1_800_000_000,
})

/** A chain that was read up to block 10 and whose lease is ours. */
async function leasedChain(name: string): Promise<{ leased: LeasedChain; start: Cursor }> {
  await registerChain(fixture.db, name, 31337)
  const leased = await takeLease(fixture.db, name, 'we')
  if (leased === undefined) throw new Error('somebody else has the lease')
  const start = block(10, 'a')
  await beginAt(fixture.db, leased, start, undefined)
  return { leased, start }
}

function windowOf(last: Window['blocks'][number], transfers: readonly FoundTransfer[]): Window {
  return { blocks: [last], parentHash: '', transfers, answered: 0 }
}

test('a deposit that is told while the cursor is moved back is taken back, and its transaction can come again', async () => {
  const chain = testChain(['http://127.0.0.1:1'], { name: 'race' })
  const { caller, businessId } = await fixture.business()
  const wallets = fixture.createWallets([chain])
  const wallet = await newWallet(wallets, caller, 'race')
  const deposit = (where: Window['blocks'][number]): FoundTransfer => ({
    id: newId('wtx'),
    businessId,
    walletId: wallet.id,
    blockchain: chain.name,
    blockHash: where.hash,
    blockNumber: where.number,
    blockTime: Temporal.Instant.fromEpochMilliseconds(where.time * 1_000),
    transactionHash: '0xsame',
    logIndex: 0,
    contractAddress: '',
    sourceAddress: wallet.address,
    destinationAddress: wallet.address,
    units: 5n,
    currency: 'USDC',
    decimals: 0,
    usdPrice: decimal('1'),
  })
  const { leased, start } = await leasedChain(chain.name)
  const [first, second] = [block(11, 'a'), block(11, 'b')]
  await storeWindow(fixture.db, leased, start, windowOf(first, [deposit(first)]))

  const telling = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  class HeldEvents extends EventLog {
    override async append(tx: Tx, events: readonly NewEvent[]): Promise<void> {
      telling.resolve()
      await mayEnd.promise
      await super.append(tx, events)
    }
  }
  const told = tellTenants({ db: fixture.db, events: new HeldEvents(), log }, chain)
  await telling.promise
  const moved = rewind(fixture.db, leased, first, start)
  await untilWaiting(fixture.admin, 1)
  mayEnd.resolve()
  await told
  expect(await moved).toBe(true)

  const needs = { db: fixture.db, events: new EventLog(), log }
  await tellTenants(needs, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '0.00' })
  await storeWindow(fixture.db, leased, start, windowOf(second, [deposit(second)]))
  await tellTenants(needs, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '5.00' })
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('blocks above the common ancestor are not final any more', async () => {
  const { leased, start } = await leasedChain('final')
  const finalized = async () => {
    const { rows } = await fixture.admin.query(
      'select finalized_number from watched_chains where name = $1',
      ['final'],
    )
    return rows[0]?.finalized_number
  }
  const last = block(14, 'a')
  await storeWindow(fixture.db, leased, start, windowOf(last, []))
  expect(await rewind(fixture.db, leased, last, start)).toBe(true)
  expect(await finalized()).toBe(null)
  await storeWindow(fixture.db, leased, start, windowOf(last, []))
  await setFinalized(fixture.db, leased, 12)
  expect(await rewind(fixture.db, leased, last, start)).toBe(true)
  expect(await finalized()).toBe(10n)
})
