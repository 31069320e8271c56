import { expect, test } from 'vitest'
import type { Caller } from '#platform/caller'
import { spreadsheet } from '#platform/http/spreadsheets/spreadsheet'
import { refusalOf } from '#platform/testing/requests'
import { ORDER_COLUMNS, TRANSACTION_COLUMNS } from '../api/spreadsheets.ts'
import { createFixture, failure, followUp, newOrder, pay } from '../testing/fixture.ts'
import type { RangeQuery } from './read-rows.ts'

const fixture = await createFixture()
const { admin, payments } = fixture

type Query = RangeQuery & { readonly columns?: string; readonly language?: 'zh-Hant' }

const linesOf = async (file: Awaited<ReturnType<typeof spreadsheet>>) =>
  (await Array.fromAsync(file.content)).join('').split('\r\n')

const orders = async (caller: Caller, query: Query) => {
  const { pages } = await payments.orderRows(caller, query)
  return linesOf(await spreadsheet('orders', ORDER_COLUMNS, query, pages))
}

const transactions = async (caller: Caller, query: Query) => {
  const { pages } = await payments.transactionRows(caller, query)
  return linesOf(await spreadsheet('transactions', TRANSACTION_COLUMNS, query, pages))
}

// Proves reference/conventions#spreadsheets.
test('a spreadsheet of transactions has local times, names, references of orders and decimal amounts', async () => {
  const merchant = await fixture.newMerchant()
  const { number, reference_number } = await newOrder(fixture, merchant, {
    initial_total: 20,
    customer_uuid: merchant.customerUuid,
  })
  const { transaction } = await pay(fixture, merchant, number)
  await admin.query('update transactions set created_at = $2, succeeded_at = $2 where id = $1', [
    transaction.uuid,
    '2031-02-28T16:00:05.250Z',
  ])
  await admin.query('update customers set name = $2 where business_id = $1', [
    merchant.businessId,
    '=HYPERLINK("http://x")',
  ])
  const query = {
    from: '2031-03-01',
    to: '2031-03-01',
    language: 'zh-Hant',
    columns: 'created_at,amount,currency,customer,order_reference,card',
  } as const
  expect(await transactions(merchant.caller, query)).toEqual([
    '\uFEFF建立時間,金額,貨幣,客戶,訂單參考編號,卡',
    `2031-03-01 00:00:05,20.00,HKD,"'=HYPERLINK(""http://x"")",${reference_number},visa 4242`,
    '',
  ])
  const dayBefore = { ...query, from: '2031-02-28', to: '2031-02-28' }
  expect(await transactions(merchant.caller, dayBefore)).toHaveLength(2)
  const blind = { ...merchant.caller, scopes: new Set(['payments:read']) }
  const [, row] = await transactions(blind, { ...query, columns: 'customer' })
  expect(row).toBe(merchant.customerUuid)
})

test('a spreadsheet of more orders than a page has each of them once, newest first', async () => {
  const merchant = await fixture.newMerchant()
  const made: string[] = []
  for (let start = 0; start < 1_010; start += 101) {
    const some = await Promise.all(Array.from({ length: 101 }, () => newOrder(fixture, merchant, {})))
    made.push(...some.map(({ number }) => number))
  }
  const lines = await orders(merchant.caller, { period: 'today', columns: 'number' })
  expect(lines.slice(1, -1).toSorted()).toEqual(made.toSorted())
  const times = (await orders(merchant.caller, { period: 'today', columns: 'created_at' })).slice(1, -1)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('a spreadsheet holds what the filter finds', async () => {
  const merchant = await fixture.newMerchant()
  const declined = await fixture.bind(merchant, '4000000000000341')
  const { number } = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, number, { payment_token: declined }))
  await pay(fixture, merchant, number)
  const query = { period: 'today', filter: 'state = failed', columns: 'state,decline_code' } as const
  expect((await transactions(merchant.caller, query)).slice(1)).toEqual(['failed,card_declined', ''])
  const wrong = (changed: Query) => refusalOf(transactions(merchant.caller, { ...query, ...changed }))
  expect(await wrong({ filter: 'color = red' })).toBe('400 invalid_filter filter')
  expect(await wrong({ columns: 'amount,constructor' })).toBe('400 invalid_query_value columns')
})

test('an order of which half was refunded reads as paid, with nothing due', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant, { initial_total: 380.42 })
  const { transaction } = await pay(fixture, merchant, number)
  await followUp(fixture, merchant, 'refund', transaction.uuid, { amount: 190.21 })
  const open = await newOrder(fixture, merchant, { initial_total: 10 })
  const columns =
    'number,correspondence_state,initial_total,paid_total,refunded_total,credited_total,amount_due'
  const rows = await orders(merchant.caller, { period: 'today', columns })
  expect(rows.slice(1, -1).toSorted()).toEqual(
    [
      `${number},paid,380.42,190.21,190.21,0.00,0.00`,
      `${open.number},unpaid,10.00,0.00,0.00,0.00,10.00`,
    ].toSorted(),
  )
})
