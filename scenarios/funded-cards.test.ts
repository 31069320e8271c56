import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { connectForTenant, untilWaiting } from '#platform/testing/database'
import { walletSettings } from './harness/chains.ts'
import { startScenario } from './harness/scenario.ts'

const { service, client, databaseUrl } = await startScenario({ env: await walletSettings() })

const CARDS = '/svc/ts/api/v1/openapi/cards'
const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'

/** Creates a wallet with 100 USDC, with the rows of a deposit. */
async function createFundedWallet(database: pg.Client): Promise<string> {
  const { digital_wallet: wallet } = await client.ok('POST', WALLETS, {
    digital_wallet: { p_user_id: 'user-1' },
  })
  await database.query(
    `with entered as (
       insert into wallet_entries (business_id, posting_id, owner, kind, currency, amount, object_id, reason, created_at)
       select w.business_id, 'opening', opening.owner, opening.kind, 'USDC', opening.amount, 'opening', 'deposit', now()
         from wallets w, (values ($1, 'available', 100), ('chain:test-chain', 'custody', -100)) opening (owner, kind, amount)
        where w.id = $1
       returning business_id, owner, kind, currency, amount)
     insert into wallet_accounts (business_id, owner, kind, currency, balance) select * from entered`,
    [wallet.id],
  )
  return wallet.id
}

/** Creates an active card in USD that the wallet funds. */
async function createFundedCard(walletId: string): Promise<string> {
  const { card } = await client.ok('POST', CARDS, {
    card: {
      reference_id: randomUUID(),
      type: 'virtual',
      settlement_currency: 'USD',
      mode: 'B2C',
      funding_wallet_id: walletId,
    },
  })
  await client.ok('POST', `${CARDS}/link`, { card_reference_id: card.reference_id, p_user_id: 'user-1' })
  return card.id
}

async function authorize(cardId: string, amount: string) {
  const merchant = { name: 'Grocer', mcc: '5411', country: 'HK' }
  const { authorization } = await client.ok('POST', `${CARDS}/${cardId}/authorizations`, {
    authorization: { amount, currency: 'USD', merchant, reference_id: randomUUID() },
  })
  return authorization
}

async function captureFinally(uuid: string, amount: string): Promise<void> {
  await client.ok('POST', `${CARDS}/authorizations/${uuid}/capture`, { amount, final: true })
}

// Proves reference/cards#funding.
test('concurrent authorizations and captures on cards of one wallet never deadlock', async () => {
  const database = await connectForTenant(databaseUrl, client.sandbox.business_id)
  const walletId = await createFundedWallet(database)
  const [one, other] = [await createFundedCard(walletId), await createFundedCard(walletId)]
  const used = await authorize(one, '2')
  await captureFinally(used.uuid, '1')

  // The capture waits for its last account, after it has locked all the others.
  const held = await authorize(one, '10')
  await database.query('begin')
  await database.query(`select from wallet_accounts where owner = $1 and kind = 'spent' for update`, [
    walletId,
  ])
  const capturing = captureFinally(held.uuid, '5')
  await untilWaiting(database, 1)
  const authorizing = authorize(other, '3')
  await untilWaiting(database, 2)
  await database.query('commit')
  await capturing
  expect((await authorizing).approved).toBe(true)

  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const { uuid } = await authorize(index % 2 === 0 ? one : other, '2')
      await captureFinally(uuid, '1')
    }),
  )
  const { digital_wallets: wallets } = await client.ok('GET', WALLETS)
  expect(wallets[0].balances).toEqual([
    { currency: 'USDC', amount: '54.000000', available_amount: '51.000000', held_amount: '3.000000' },
  ])
  // Connections report their statistics when they end.
  await service.stop()
  const { rows } = await database.query<{ deadlocks: string }>(
    'select deadlocks::text from pg_stat_database where datname = current_database()',
  )
  expect(rows).toEqual([{ deadlocks: '0' }])
})
