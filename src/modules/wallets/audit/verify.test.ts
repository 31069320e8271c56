import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { storeBlockRange } from '../storage/chain.repository.ts'
import { publishTransfers } from '../chain/publish-transfers.ts'
import { asset, testChain } from '../testing/chains.ts'
import { block, deposit, leasedChain, rangeOf } from '../testing/deposits.ts'
import { createFixture, newWallet } from '../testing/fixture.ts'
import { RULES } from './verify.ts'

const fixture = await createFixture()

/** Creates a wallet with a confirmed deposit and its fee; a card has spent a part of the deposit and holds another. */
async function usedWallet() {
  const chain = testChain([], { name: newId('chain'), tokens: [asset('USDC', 0, '0xA1')] })
  const wallets = fixture.createWallets([chain])
  const { businessId, caller } = await fixture.business()
  await wallets.setFeeRule(caller, { type: 'business', fixed_fee: '0.30', percentage_fee: '1.5' })
  const wallet = await newWallet(wallets, caller, 'used')
  const { leased, start } = await leasedChain(fixture.db, chain.name)
  const first = block(11, 'a')
  const transfer = deposit(chain, first, businessId, wallet)
  await storeBlockRange(fixture.db, leased, start, rangeOf(first, [transfer]))
  await publishTransfers(wallets.ctx, chain)
  const authorization = { walletId: wallet.id, authorizationUuid: newId('aut'), currency: 'USD' }
  await fixture.db.transact(businessId, async (tx) => {
    await wallets.funding.hold(tx, { ...authorization, amountMinor: 300n })
    const moved = { capturedMinor: 100n, forcedMinor: 50n, releasedMinor: 0n, refundedMinor: 30n }
    await wallets.funding.move(tx, { ...authorization, ...moved })
  })
  const { rows } = await fixture.admin.query<{ posting_id: string }>(
    `select distinct posting_id from wallet_entries where object_id = $1`,
    [transfer.id],
  )
  return {
    breaches: () => fixture.breaches(businessId),
    wallet: wallet.id,
    deposit: transfer.id,
    posting: rows[0]?.posting_id,
    hold: authorization.authorizationUuid,
  }
}

/** Duplicates entries under another posting. */
const duplicateEntries = (condition: string) => `
  insert into wallet_entries (business_id, posting_id, owner, kind, currency, amount, object_id, reason, created_at)
  select business_id, 'again', owner, kind, currency, amount, object_id, reason, created_at
    from wallet_entries where object_id = $1 and ${condition}`

/** Statements that break a rule, with the object that the breach must name. */
const BREAKS: readonly [
  rule: string,
  object: 'wallet' | 'deposit' | 'posting' | 'hold',
  statement: string,
][] = [
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
  ['wallet_deposit_is_in_ledger_once', 'deposit', duplicateEntries(`reason = 'deposit'`)],
  ['wallet_deposit_is_in_ledger_once', 'deposit', 'delete from wallet_entries where object_id = $1'],
  [
    'wallet_deposit_is_in_ledger_once',
    'deposit',
    `update wallet_transactions set state = 'reorged' where id = $1`,
  ],
  ['wallet_fee_is_in_ledger_once', 'deposit', duplicateEntries(`kind in ('fees_owed', 'fees_due')`)],
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
  ['wallet_spending_is_in_ledger', 'hold', duplicateEntries(`reason = 'refund'`)],
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

// Proves reference/wallets#ledger.
test('every rule has a statement that breaks it', () => {
  const rules = [...Object.keys(RULES), 'wallet_fee_is_right']
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(rules))
})

test.each(BREAKS)('a breach of %s is reported', async (rule, object, statement) => {
  const used = await usedWallet()
  expect(await used.breaches()).toEqual([])
  await fixture.admin.query(statement, [used[object]])
  const breaches = (await used.breaches()).map((breach) => [breach.rule, breach.object])
  expect(breaches).toContainEqual([rule, used[object]])
})
