import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Tx } from '#platform/postgres/database'
import { EventLog, type NewEvent } from '#platform/events/events'
import { untilWaiting } from '#platform/testing/database'
import { testChain } from '../testing/chains.ts'
import { type Block, block, deposit, leasedChain, windowOf } from '../testing/deposits.ts'
import { balancesOf, createFixture, newWallet } from '../testing/fixture.ts'
import { rewind, setFinalized, storeWindow } from '../storage/chain.repository.ts'
import { tellTenants } from './tell-tenants.ts'

const fixture = await createFixture()
const log = pino({ level: 'silent' })

test('a deposit that is told while the cursor is moved back is taken back, and its transaction can come again', async () => {
  const chain = testChain(['http://127.0.0.1:1'], { name: 'race' })
  const { caller, businessId } = await fixture.business()
  const wallets = fixture.createWallets([chain])
  const wallet = await newWallet(wallets, caller, 'race')
  const depositIn = (where: Block) => ({
    ...deposit(chain, where, businessId, wallet),
    transactionHash: '0xsame',
  })
  const { leased, start } = await leasedChain(fixture.db, chain.name)
  const [first, second] = [block(11, 'a'), block(11, 'b')]
  await storeWindow(fixture.db, leased, start, windowOf(first, [depositIn(first)]))

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

  const deps = { db: fixture.db, events: new EventLog(), log }
  await tellTenants(deps, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '0.00' })
  await storeWindow(fixture.db, leased, start, windowOf(second, [depositIn(second)]))
  await tellTenants(deps, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '5.00' })
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('blocks above the common ancestor are not final any more', async () => {
  const { leased, start } = await leasedChain(fixture.db, 'final')
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
