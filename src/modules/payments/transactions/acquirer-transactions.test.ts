import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Acquirer, SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { verifyPayments } from '../audit/verify.ts'
import { createFixture, failure, type Fixture, followUp, newOrder, pay } from '../testing/fixture.ts'

const ACCOUNT = 'aca_1'
let accountId = ACCOUNT

const current = (): Acquirer => fixture.between.acquirer
const routed = () => {
  const { name: acquirerName, merchantId, capabilities } = current()
  return { id: accountId, acquirerName, merchantId, capabilities }
}
const fixture: Fixture = await createFixture({
  acquirers: {
    ...simulatedAcquirers(current),
    router: async () => ({
      first: routed(),
      route: () => [routed()],
      account: routed,
      hasPageFor: () => true,
      takesWallet: () => true,
    }),
    open: async () => current(),
  },
})
const { db, payments } = fixture

function record(gatewayTransactionId: string, rrn: string) {
  return { gatewayTransactionId, rrn, authCode: '', batchNumber: '', responseCode: '', responseMessage: '' }
}
const approved = (gatewayTransactionId: string, rrn = '') =>
  ({ kind: 'approved', ...record(gatewayTransactionId, rrn) }) as const

const found = (businessId: string, ...references: string[]) =>
  db.transact(businessId, (tx) => payments.findByAcquirerReferences(tx, ACCOUNT, references))
const movements = async (businessId: string) => {
  const rows = await db.transact(businessId, (tx) =>
    payments.movementsOf(tx, ACCOUNT, { after: null, limit: 10 }),
  )
  return rows.map(({ gatewayTransactionId, rrn }) => [gatewayTransactionId, rrn])
}

/**
 * Counts the rows that the session has updated since it last sent statistics. It sends none within a transaction. Citus hides
 * shards from the catalogue, and PostgreSQL takes its setting for one of nobody.
 */
async function updatesOf(tx: Tx): Promise<{ updated: number; hot: number }> {
  await tx.query(sql`select set_config('citus.override_table_visibility', 'off', true)`)
  const [row] = await tx.query<{ updated: number; hot: number }>(sql`
    select coalesce(sum(n_tup_upd), 0)::int as updated, coalesce(sum(n_tup_hot_upd), 0)::int as hot
      from pg_stat_xact_user_tables where relname ~ '^transactions(_[0-9]+)?$'`)
  return row ?? { updated: 0, hot: 0 }
}

function countUpdates() {
  const counted = { updated: 0, hot: 0 }
  const transact = db.transact.bind(db)
  const spy = vi.spyOn(db, 'transact').mockImplementation((tenant, work, options) =>
    transact(
      tenant,
      async (tx) => {
        const before = await updatesOf(tx)
        const result = await work(tx)
        const after = await updatesOf(tx)
        counted.updated += after.updated - before.updated
        counted.hot += after.hot - before.hot
        return result
      },
      options,
    ),
  )
  onTestFinished(() => spy.mockRestore())
  return counted
}

// Proves reference/reconciliation#results.
test('outcomes of a real acquirer are found by its names, and write no index of the transactions', async () => {
  const merchant = await fixture.newMerchant()
  const { businessId } = merchant
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async () => approved('pi_1', 'ch_1'),
    authorize: async () => approved('pi_2', 'ch_2'),
    capture: async () => approved('pi_2', 'cap_2'),
    refund: async () => approved('re_1', 'ch_1'),
  }
  const hold = await pay(fixture, merchant, (await newOrder(fixture, merchant)).number, {
    type: 'Authorization',
  })
  const { number } = await newOrder(fixture, merchant)
  const counted = countUpdates()
  const sale = await pay(fixture, merchant, number)
  const refund = await followUp(fixture, merchant, 'refund', sale.transaction.uuid, { amount: 1 })
  expect(counted).toEqual({ updated: 2, hot: 2 })
  const capture = await followUp(fixture, merchant, 'capture', hold.transaction.uuid)
  expect(await movements(businessId)).toEqual([
    ['pi_1', 'ch_1'],
    ['re_1', 'ch_1'],
    ['pi_2', 'cap_2'],
  ])
  const ids = async (...references: string[]) =>
    (await found(businessId, ...references)).map(({ id }) => id).toSorted()
  const idsOf = (...replies: (typeof sale)[]) => replies.map(({ transaction }) => transaction.uuid).toSorted()
  expect(await ids('ch_1')).toEqual(idsOf(sale, refund))
  expect(await ids('pi_2', 'cap_2', 'pi_1')).toEqual(idsOf(sale, hold, capture))
  expect(await Array.fromAsync(verifyPayments(db)(businessId))).toEqual([])
})

test('what a real acquirer calls a payment is known while that is pending, and follows its outcome', async () => {
  const merchant = await fixture.newMerchant()
  const { businessId } = merchant
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async () => ({ kind: 'pending', ...record('pi_1', '') }),
    inquire: async () => approved('pi_1', 'ch_1'),
  }
  const { number } = await newOrder(fixture, merchant)
  await pay(fixture, merchant, number)
  expect(await found(businessId, 'pi_1')).toMatchObject([{ state: 'pending', succeededAt: null, rrn: '' }])
  expect(await movements(businessId)).toEqual([])
  await fixture.advance(businessId, { hours: 1 })
  const [paid, ...others] = await found(businessId, 'ch_1', 'pi_1')
  expect([paid?.state, others]).toEqual(['succeeded', []])
  expect(await movements(businessId)).toEqual([['pi_1', 'ch_1']])

  fixture.between.acquirer = {
    ...fixture.real,
    sale: async () => ({ kind: 'declined', hard: false, ...record('pi_2', '') }),
  }
  await failure(pay(fixture, merchant, (await newOrder(fixture, merchant)).number))
  expect(await found(businessId, 'pi_2')).toMatchObject([{ state: 'failed' }])
  expect(await movements(businessId)).toHaveLength(1)
  expect(await Array.fromAsync(verifyPayments(db)(businessId))).toEqual([])
})

test('a payment of the simulator is no movement of a real acquirer', async () => {
  const merchant = await fixture.newMerchant()
  fixture.between.acquirer = { ...fixture.real, sale: async () => approved('sim_1', 'sim_1') }
  accountId = SIMULATOR_ACCOUNT
  await pay(fixture, merchant, (await newOrder(fixture, merchant)).number)
  const rows = await db.transact(merchant.businessId, (tx) =>
    tx.query(sql`select from acquirer_transactions where business_id = ${tx.businessId}`),
  )
  expect(rows).toEqual([])
})
