import { expect, test } from 'vitest'
import { EventLog } from '#platform/events/events'
import { untilWaiting } from '#platform/testing/database'
import { testChain } from '../testing/chains.ts'
import { type Block, block, deposit, leasedChain, rangeOf } from '../testing/deposits.ts'
import { balancesOf, createFixture, newWallet } from '../testing/fixture.ts'
import { rewind, setFinalized, storeBlockRange } from '../storage/chain.repository.ts'
import { publishTransfers } from './publish-transfers.ts'

const fixture = await createFixture()

// Proves reference/wallets#reorganisations.
test('a deposit that is published during a rewind is reversed, and its transaction can be included again', async () => {
  const chain = testChain(['http://127.0.0.1:1'], { name: 'race' })
  const { caller, businessId } = await fixture.business()
  const wallets = fixture.createWallets([chain])
  const wallet = await newWallet(wallets, caller, 'race')
  const depositIn = (inBlock: Block) => ({
    ...deposit(chain, inBlock, businessId, wallet),
    transactionHash: '0xsame',
  })
  const { leased, start } = await leasedChain(fixture.db, chain.name)
  const [first, second] = [block(11, 'a'), block(11, 'b')]
  await storeBlockRange(fixture.db, leased, start, rangeOf(first, [depositIn(first)]))

  const publishing = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  class DelayedEvents extends EventLog {
    override async append(...args: Parameters<EventLog['append']>): Promise<void> {
      publishing.resolve()
      await mayCommit.promise
      await super.append(...args)
    }
  }
  const published = publishTransfers({ ...wallets.ctx, events: new DelayedEvents() }, chain)
  await publishing.promise
  const rewound = rewind(fixture.db, leased, first, start)
  await untilWaiting(fixture.admin, 1)
  mayCommit.resolve()
  await published
  expect(await rewound).toBe(true)

  await publishTransfers(wallets.ctx, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '0.00' })
  await storeBlockRange(fixture.db, leased, start, rangeOf(second, [depositIn(second)]))
  await publishTransfers(wallets.ctx, chain)
  expect(await balancesOf(wallets, caller, 'race')).toEqual({ USDC: '5.00' })
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('a rewind lowers the finalized block to the common ancestor', async () => {
  const { leased, start } = await leasedChain(fixture.db, 'final')
  const finalized = async () => {
    const { rows } = await fixture.admin.query(
      'select finalized_number from watched_chains where name = $1',
      ['final'],
    )
    return rows[0]?.finalized_number
  }
  const last = block(14, 'a')
  await storeBlockRange(fixture.db, leased, start, rangeOf(last, []))
  expect(await rewind(fixture.db, leased, last, start)).toBe(true)
  expect(await finalized()).toBe(null)
  await storeBlockRange(fixture.db, leased, start, rangeOf(last, []))
  await setFinalized(fixture.db, leased, 12)
  expect(await rewind(fixture.db, leased, last, start)).toBe(true)
  expect(await finalized()).toBe(10n)
})
