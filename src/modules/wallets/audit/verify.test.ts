import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { EventLog } from '#platform/events/events'
import { storeWindow } from '../storage/chain.repository.ts'
import { tellTenants } from '../chain/tell-tenants.ts'
import { asset, testChain } from '../testing/chains.ts'
import { block, deposit, leasedChain, windowOf } from '../testing/deposits.ts'
import { createFixture, newWallet } from '../testing/fixture.ts'
import { RULES } from './verify.ts'

const fixture = await createFixture()
const deps = { db: fixture.db, events: new EventLog(), log: pino({ level: 'silent' }) }

/** A wallet with a confirmed deposit and its fee, of which a card holds a part and has spent another. */
async function busyWallet() {
  const chain = testChain([], { name: newId('chain'), tokens: [asset('USDC', 0, '0xA1')] })
  const wallets = fixture.createWallets([chain])
  const { businessId, caller } = await fixture.business()
  await wallets.setFeeRule(caller, { type: 'business', fixed_fee: '0.30', percentage_fee: '1.5' })
  const wallet = await newWallet(wallets, caller, 'busy')
  const { leased, start } = await leasedChain(fixture.db, chain.name)
  const first = block(11, 'a')
  const found = deposit(chain, first, businessId, wallet)
  await storeWindow(fixture.db, leased, start, windowOf(first, [found]))
  await tellTenants(deps, chain)
  const authorization = { walletId: wallet.id, authorizationUuid: newId('aut'), currency: 'USD' }
  await fixture.db.transact(businessId, async (tx) => {
    await wallets.funding.hold(tx, { ...authorization, amountMinor: 300n })
    const moved = { capturedMinor: 100n, forcedMinor: 50n, releasedMinor: 0n, refundedMinor: 30n }
    await wallets.funding.move(tx, { ...authorization, ...moved })
  })
  const { rows } = await fixture.admin.query<{ posting_id: string }>(
    `select distinct posting_id from wallet_entries where object_id = $1`,
    [found.id],
  )
  return {
    breaches: () => fixture.breaches(businessId),
    wallet: wallet.id,
    deposit: found.id,
    posting: rows[0]?.posting_id,
    hold: authorization.authorizationUuid,
  }
}

/** What the entries of a kind were posted for is posted once more. */
const postedAgain = (of: string) => `
  insert into wallet_entries (business_id, posting_id, owner, kind, currency, amount, object_id, reason, created_at)
  select business_id, 'again', owner, kind, currency, amount, object_id, reason, created_at
    from wallet_entries where object_id = $1 and ${of}`

/** What breaks a rule, and what is named then. */
const BREAKS: readonly [rule: string, what: 'wallet' | 'deposit' | 'posting' | 'hold', statement: string][] =
  [
    [
      'wallet_posting_sums_to_zero',
      'posting',
      `update wallet_entries set amount = amount * 2 where posting_id = $1 and kind = 'custody'`,
    ],
    [
      'wallet_balance_is_sum_of_entries',
      'wallet',
      `update wallet_accounts set balance = balance + 1 where owner = $1 and kind = 'available'`,
    ],
    ['wallet_balance_is_sum_of_entries', 'wallet', 'delete from wallet_accounts where owner = $1'],
    ['wallet_balance_is_sum_of_entries', 'wallet', 'delete from wallet_entries where owner = $1'],
    ['wallet_deposit_is_in_ledger_once', 'deposit', postedAgain(`reason = 'deposit'`)],
    ['wallet_deposit_is_in_ledger_once', 'deposit', 'delete from wallet_entries where object_id = $1'],
    [
      'wallet_deposit_is_in_ledger_once',
      'deposit',
      `update wallet_transactions set state = 'reorged' where id = $1`,
    ],
    ['wallet_fee_is_in_ledger_once', 'deposit', postedAgain(`kind in ('fees_owed', 'fees_due')`)],
    [
      'wallet_fee_is_in_ledger_once',
      'deposit',
      `delete from wallet_entries where object_id = $1 and kind = 'fees_due'`,
    ],
    [
      'wallet_transaction_is_as_on_chain',
      'deposit',
      `update chain_transfers set published_state = 'pending' where id = $1`,
    ],
    ['wallet_transaction_is_as_on_chain', 'deposit', 'update chain_transfers set units = 6 where id = $1'],
    ['wallet_transaction_is_as_on_chain', 'deposit', 'delete from chain_transfers where id = $1'],
    ['wallet_transaction_is_as_on_chain', 'deposit', 'delete from wallet_transactions where id = $1'],
    ['wallet_hold_is_in_ledger', 'hold', 'update wallet_holds set held = held + 1 where id = $1'],
    ['wallet_spending_is_in_ledger', 'hold', 'update wallet_holds set captured = captured + 1 where id = $1'],
    ['wallet_spending_is_in_ledger', 'hold', postedAgain(`reason = 'refund'`)],
    [
      'wallet_fee_is_right',
      'deposit',
      'update wallet_transactions set calculated_fee_minor = calculated_fee_minor - 1 where id = $1',
    ],
    [
      'wallet_fee_is_right',
      'deposit',
      'update wallet_transactions set amount_in_usd_minor = amount_in_usd_minor + 1 where id = $1',
    ],
  ]

test('each rule is broken below', () => {
  const rules = [...Object.keys(RULES), 'wallet_fee_is_right']
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(rules))
})

test.each(BREAKS)('%s is found when it is broken', async (rule, what, statement) => {
  const busy = await busyWallet()
  expect(await busy.breaches()).toEqual([])
  await fixture.admin.query(statement, [busy[what]])
  const found = (await busy.breaches()).map((breach) => [breach.rule, breach.object])
  expect(found).toContainEqual([rule, busy[what]])
})

test('a fee that was capped at the value of an earlier deposit stays right', async () => {
  const busy = await busyWallet()
  const wrongFees = async () =>
    (await busy.breaches()).filter((breach) => breach.rule === 'wallet_fee_is_right').length
  const capFee = `update wallet_transactions set fixed_fee_minor = amount_in_usd_minor * 2,
                         calculated_fee_minor = amount_in_usd_minor, fee_capped = $2 where id = $1`
  await fixture.admin.query(capFee, [busy.deposit, false])
  expect(await wrongFees()).toBe(1)
  await fixture.admin.query(capFee, [busy.deposit, true])
  expect(await wrongFees()).toBe(0)
})
