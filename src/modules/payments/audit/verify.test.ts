import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { createFixture, followUp, newOrder, pay } from '../testing/fixture.ts'
import { type BookLine, verifyBooks } from './verify-books.ts'
import { RULES, verifyPayments } from './verify.ts'

const fixture = await createFixture()

async function busyMerchant() {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant, {
    line_items: [{ purchasable_type: 'Charge', price: 100, quantity: 1 }],
  })
  const sale = await pay(fixture, merchant, order.number, { amount: 20 })
  const hold = await pay(fixture, merchant, order.number, { type: 'Authorization', amount: 50 })
  const capture = await followUp(fixture, merchant, 'capture', hold.transaction.uuid, { amount: 30 })
  await followUp(fixture, merchant, 'refund', capture.transaction.uuid, { amount: 5 })
  return {
    merchant,
    order: order.number,
    sale: sale.transaction.uuid,
    hold: hold.transaction.uuid,
    capture: capture.transaction.uuid,
  }
}

async function brokenRulesOf(businessId: string): Promise<string[]> {
  const breaches = await Array.fromAsync(verifyPayments(fixture.db)(businessId))
  return [...new Set(breaches.map((breach) => breach.rule))]
}

// Proves reference/operations#verify.

test('orders that the module wrote break no rule', async () => {
  const { merchant } = await busyMerchant()
  expect(await brokenRulesOf(merchant.businessId)).toEqual([])
})

/** The rule, a statement that breaks it, and the object that the statement changes. */
const BREAKS = [
  [
    'order_paid_total_is_the_sum_of_its_transactions',
    'update orders set paid_total_minor = 1 where id = $1',
    'order',
  ],
  [
    'order_reserved_total_is_what_is_under_way',
    'update orders set reserved_minor = 1 where id = $1',
    'order',
  ],
  ['order_takes_no_more_than_its_total', 'update orders set initial_total_minor = 1 where id = $1', 'order'],
  ['order_state_agrees_with_its_money', `update orders set state = 'voided' where id = $1`, 'order'],
  [
    'order_state_agrees_with_its_money',
    `update transactions set state = 'failed' where order_id = $1 and type <> 'Refund'`,
    'order',
  ],
  [
    'order_returns_the_credit_that_it_used',
    'update orders set credit_returned_minor = 1 where id = $1',
    'order',
  ],
  ['order_lines_sum_to_its_total', 'update orders set initial_total_minor = 10001 where id = $1', 'order'],
  [
    'captures_and_refunds_fit_their_original',
    'update transactions set amount_minor = 1 where id = $1',
    'hold',
  ],
  [
    'captures_and_refunds_follow_what_they_may',
    `update transactions set type = 'Sales' where id = $1`,
    'hold',
  ],
  // The refund of the capture stays.
  [
    'captures_and_refunds_follow_what_they_may',
    `update transactions set state = 'voided' where id = $1`,
    'capture',
  ],
  [
    'captures_and_refunds_follow_what_they_may',
    `update transactions set state = 'failed' where id = $1`,
    'hold',
  ],
  [
    'transaction_state_is_one_of_its_type',
    `update transactions set state = 'authorized' where id = $1`,
    'sale',
  ],
  ['transaction_state_is_one_of_its_type', 'update transactions set settles_at = null where id = $1', 'sale'],
  [
    'transaction_state_is_one_of_its_type',
    'update transactions set settles_at = succeeded_at where id = $1',
    'hold',
  ],
  [
    'transaction_state_is_one_of_its_type',
    'update transactions set succeeded_at = null where id = $1',
    'sale',
  ],
  [
    'transaction_state_is_one_of_its_type',
    `update transactions set state = 'failed', succeeded_at = null, settles_at = null, value_date = '2030-01-01'
      where id = $1`,
    'sale',
  ],
  ['transaction_state_is_one_of_its_type', `update transactions set currency = 'USD' where id = $1`, 'sale'],
  ['rest_of_an_authorization_lapses', 'update transactions set expires_at = null where id = $1', 'hold'],
  ['rest_of_an_authorization_lapses', 'update transactions set expires_at = now() where id = $1', 'sale'],
  ['open_outcome_has_an_operation', `update transactions set state = 'unknown' where id = $1`, 'sale'],
  [
    'acquirers_names_of_transactions_are_found',
    `update transactions set acquirer_account_id = 'aca_1' where id = $1`,
    'sale',
  ],
  [
    'open_outcome_has_an_operation',
    `update transactions set void_pending = true, void_key = 'void_1' where id = $1`,
    'sale',
  ],
  [
    'operation_has_an_open_outcome',
    `insert into acquirer_operations select business_id, id, 'sale', order_id, id, 'sent', false, 0, null, null, now(),
            now(), null from transactions where id = $1`,
    'sale',
  ],
  [
    'outcome_needs_no_person',
    `insert into acquirer_operations (business_id, key, kind, order_id, transaction_id, status, payer_present, inquiries,
                                      started_at, due_at, sent_at)
     select business_id, id, 'sale', order_id, id, 'unknown', false, 9, now(), now(), now() - interval '25 hours'
       from transactions where id = $1`,
    'sale',
  ],
  [
    'receipt_numbers_are_unique',
    `update transactions t set receipt_number = s.receipt_number from transactions s
      where s.id = $1 and t.order_id = s.order_id`,
    'sale',
  ],
  [
    'receipt_numbers_were_given_out',
    'update transactions set receipt_number = receipt_number + 1000000 where id = $1',
    'sale',
  ],
  [
    'due_work_has_a_head',
    `delete from next_runs
      where job = 'authorization_expiry' and business_id = (select business_id from transactions where id = $1)`,
    'hold',
  ],
  [
    'due_work_has_a_head',
    `update orders set void_mode = 'grace', void_due_at = now() where id = $1`,
    'order',
  ],
  ['due_work_has_a_head', 'update orders set expires_at = now() where id = $1', 'order'],
  [
    'due_work_has_a_head',
    `with lost as (
       delete from next_runs
        where job = 'payment_operations' and business_id = (select business_id from transactions where id = $1)
     )
     insert into acquirer_operations select business_id, id, 'sale', order_id, id, 'sent', false, 0, null, null, now(),
            now(), null from transactions where id = $1`,
    'sale',
  ],
  ['wallets_are_never_authorized', `update transactions set payment_method = 'fps' where id = $1`, 'hold'],
  [
    'order_gives_up_no_more_than_its_total',
    'update orders set written_off_minor = initial_total_minor + 1 where id = $1',
    'order',
  ],
] as const

test('every rule has a statement that breaks it', () => {
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)))
})

test.each(BREAKS)('a breach of %s is found', async (rule, statement, what) => {
  const busy = await busyMerchant()
  const node = await adminOf(fixture, busy.merchant.businessId)
  await node.query(statement, [busy[what]])
  expect(await brokenRulesOf(busy.merchant.businessId)).toContain(rule)
})

test('the acquirer’s books and the transactions must agree both ways', async () => {
  const busy = await busyMerchant()
  const { businessId } = busy.merchant
  const { rows } = await fixture.admin.query<{ id: string }>(
    'select id from transactions where business_id = $1',
    [businessId],
  )
  const ours = new Set(rows.map((row) => row.id))
  const books = ((await fixture.books()) as BookLine[]).filter((line) => ours.has(line.key))
  const rules = async (lines: BookLine[]) =>
    (await Array.fromAsync(verifyBooks(fixture.db, [businessId], lines, 'simulator'))).map(
      (breach) => breach.rule,
    )
  expect(await rules(books)).toEqual([])
  const sale = books.find((line) => line.key === busy.sale)
  if (sale === undefined) throw new Error('no sale in the books')
  const agrees = 'transactions_agree_with_the_acquirers_books'
  expect(await rules(books.filter((line) => line !== sale))).toEqual([agrees])
  expect(await rules([...books, { ...sale, key: 'txn_other' }])).toEqual([
    'nothing_is_booked_without_a_transaction',
  ])
  expect(await rules([...books, sale])).toEqual(['nothing_is_booked_twice'])
  expect(await rules([...books.filter((line) => line !== sale), { ...sale, amount: '20.01' }])).toEqual([
    agrees,
  ])
  const voided: BookLine = { ...sale, key: 'void_1', operation: 'void', original_key: sale.key }
  expect(await rules([...books, voided])).toEqual(['nothing_is_booked_without_a_transaction'])
})

test('businesses are listed after the books are read, so a booking of a new business has its transaction', async () => {
  let areRead = false
  async function* books(): AsyncGenerator<BookLine> {
    const busy = await busyMerchant()
    businessIds.push(busy.merchant.businessId)
    yield { key: busy.sale, operation: 'sale', amount: '20.00', currency: 'HKD', outcome: 'approved' }
    areRead = true
  }
  const businessIds: string[] = []
  function* tenants(): Generator<string> {
    expect(areRead).toBe(true)
    yield* businessIds
  }
  const breaches = await Array.fromAsync(verifyBooks(fixture.db, tenants(), books(), 'simulator'))
  expect(breaches.map((breach) => breach.rule)).not.toContain('nothing_is_booked_without_a_transaction')
})
