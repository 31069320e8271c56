import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { createFixture } from '../../billing/testing/fixture.ts'
import { openInvoiceShop } from '../../billing/testing/invoices.ts'
import { BANK_TRANSFER_RULES, bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/operations#verify.

const fixture = await createFixture()
const { customers, db, invoices, payments } = fixture
const transfers = bankTransfersOf({ ...fixture.shared, customers, invoices, payments })

async function matchedEntry() {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const { invoice } = await invoices.create(caller, {
    customer_uuid: customer,
    currency: 'EUR',
    lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
    collection: 'send_invoice',
  })
  const { bank_statement: statement } = await transfers.import(caller, {
    format: 'csv',
    content: `booking_date,amount,currency,bank_reference,remittance\n2031-06-16,119.00,EUR,REF-1,${invoice.number}\n`,
  })
  const [entry] = await transfers.entries(caller)
  const node = await adminOf(fixture, caller.businessId)
  const { rows } = await node.query<{ transaction_id: string }>(
    'select transaction_id from bank_entry_matches where entry_id = $1',
    [entry?.id],
  )
  const breaches = () => Array.fromAsync(verifyBankTransfers(db)(caller.businessId))
  return {
    node,
    breaches,
    ids: {
      entry: entry?.id,
      statement: statement.id,
      transaction: rows[0]?.transaction_id,
      order: invoice.order_number,
    },
  }
}

/** A statement that breaks the rule, and what the breach names. */
const BREAKS = [
  [
    'matches_sum_to_their_bank_entry',
    'entry',
    `update bank_entries set amount_minor = amount_minor + 1 where id = $1`,
  ],
  ['matches_sum_to_their_bank_entry', 'entry', `update bank_entries set state = 'ignored' where id = $1`],
  ['matches_sum_to_their_bank_entry', 'entry', `delete from bank_entries where id = $1`],
  ['bank_transfer_has_its_match', 'transaction', `update transactions set state = 'voided' where id = $1`],
  ['bank_transfer_has_its_match', 'transaction', `delete from bank_entry_matches where transaction_id = $1`],
  [
    'bank_transfer_has_its_match',
    'transaction',
    `update bank_entry_matches set order_id = 'another' where transaction_id = $1`,
  ],
  [
    'bank_transfer_counts_on_its_day',
    'transaction',
    `update transactions set value_date = value_date + 1 where id = $1`,
  ],
  [
    'bank_transfer_counts_on_its_day',
    'transaction',
    `update transactions set returned_on = value_date where id = $1`,
  ],
  [
    'bank_transfer_counts_once',
    'entry',
    `insert into bank_entries (business_id, id, kind, state, identity, statement_id, account, booking_date, currency, amount_minor,
                               bank_reference, remittance, created_at, updated_at)
     select business_id, 'bke_again', kind, state, 'again', statement_id, 'DE1', booking_date, currency, amount_minor,
            bank_reference, remittance, created_at, updated_at from bank_entries where id = $1`,
  ],
  ['bank_return_takes_its_credit', 'entry', `update bank_entries set returned_by = 'bke_none' where id = $1`],
  ['write_offs_sum_to_their_order', 'order', 'update orders set written_off_minor = 1 where id = $1'],
  [
    'write_offs_sum_to_their_order',
    'order',
    `insert into write_offs (business_id, id, order_id, invoice_id, customer_uuid, currency, amount_minor, reason, created_at)
     select business_id, 'wof_1', id, invoice_id, '', currency, -1, '', created_at from orders where id = $1`,
  ],
  [
    'bank_entries_count_once',
    'statement',
    `update bank_statements set entries = 2, new_entries = 2, matched = 2 where id = $1`,
  ],
] as const

test('every rule has a statement that breaks it', () => {
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(Object.keys(BANK_TRANSFER_RULES)))
})

test.each(BREAKS)('a breach of %s is found', async (rule, what, statement) => {
  const { node, breaches, ids } = await matchedEntry()
  expect(await breaches()).toEqual([])
  await node.query(statement, [ids[what]])
  const found = (await breaches()).map((breach) => [breach.rule, breach.object])
  expect(found).toContainEqual([rule, ids[what]])
})
