import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { LinkedOrderView, Order, Transaction } from '#modules/payments'
import { returnResultOf, returnUrlOf, checkoutStateOf, exitUrlOf } from './checkout-state.ts'
import { exampleOrder, exampleTransaction, MADE_AT } from '../testing/example-order.ts'

const HUNDRED = Money.ofDecimal('HKD', '100.00')

function state(
  members: Partial<Order>,
  transactions: readonly Transaction[] = [],
  status: LinkedOrderView['status'] = 'payable',
) {
  return checkoutStateOf({ order: { ...exampleOrder(), ...members }, transactions, status, now: MADE_AT })
}

// Proves reference/pages#payment-page, reference/orders#payment-links.
test('an order is not offered for payment while another payment has no result', () => {
  const reserved = { reservedTotal: HUNDRED }
  const waiting = exampleTransaction(exampleOrder(), {
    state: 'requires_action',
    nextAction: { type: 'three_d_secure', url: 'https://bank.example.com' },
  })
  expect(state(reserved, [waiting])).toMatchObject({
    kind: 'requires_action',
    url: 'https://bank.example.com',
  })
  for (const unresolved of ['initiated', 'pending', 'unknown', 'authorized'] as const) {
    expect(state(reserved, [exampleTransaction(exampleOrder(), { state: unresolved })])).toEqual({
      kind: 'processing',
    })
  }
})

test('a closed link still shows the result of a payment that started earlier', () => {
  expect(state({}, [], 'closed')).toEqual({ kind: 'closed' })
  expect(state({ reservedTotal: HUNDRED }, [], 'closed')).toEqual({ kind: 'processing' })
})

test('a refunded order is neither payable nor paid', () => {
  const part = Money.ofDecimal('HKD', '40.00')
  expect(state({ state: 'completed', paidTotal: HUNDRED }, [], 'paid')).toEqual({ kind: 'paid' })
  expect(state({ state: 'completed', paidTotal: part }, [], 'paid')).toEqual({ kind: 'refunded' })
  expect(state({ state: 'refunded' }, [], 'paid')).toEqual({ kind: 'refunded' })
})

test('the return_url carries the result', () => {
  const order = exampleOrder()
  const declined = exampleTransaction(order, { state: 'failed' })
  expect(returnResultOf(state({}))).toBe('canceled')
  expect(returnResultOf(state({}, [declined]))).toBe('failed')
  const ended = (responseCode: string) => ({
    ...declined,
    answer: { ...declined.answer, failure: 'canceled' as const, responseCode },
  })
  expect(returnResultOf(state({}, [ended('canceled')]))).toBe('canceled')
  expect(returnResultOf(state({}, [ended('expired')]))).toBe('failed')
  expect(returnResultOf(state({ state: 'expired' }, [], 'gone'))).toBe('expired')
  expect(returnResultOf(state({ state: 'completed', paidTotal: HUNDRED }, [], 'paid'))).toBe('paid')
  expect(returnUrlOf(order, 'paid')).toBe(
    'https://shop.example.com/done?cart=7&order_number=ord_01kanq3x5kf0vsd2pjtwyt7cyr&reference_number=INV-2031-0042&result=paid',
  )
})

test('the result is added to the return_url, which stays as the merchant wrote it', () => {
  const added = 'order_number=ord_01kanq3x5kf0vsd2pjtwyt7cyr&reference_number=INV-2031-0042&result=expired'
  for (const [own, returned] of [
    ['?a=b%20c&flag&result=own#top', `?a=b%20c&flag&result=own&${added}#top`],
    ['#top?no=query', `?${added}#top?no=query`],
    ['?', `?${added}`],
  ]) {
    const order = { ...exampleOrder(), returnUrl: `https://shop.example.com/done${own}` }
    expect(returnUrlOf(order, 'expired')).toBe(`https://shop.example.com/done${returned}`)
  }
})

test('once the time has run out, the payer goes to the timeout’s URL, or else to the return_url', () => {
  const url = 'https://shop.example.com/too-late'
  const timed = { ...exampleOrder(), timeout: { timer: '60', seconds: 60, url } }
  expect(exitUrlOf(timed, { kind: 'expired' })).toBe(url)
  expect(exitUrlOf(timed, { kind: 'closed' })).toBe(url)
  expect(exitUrlOf(timed, { kind: 'paid' })).toContain('result=paid')
  expect(exitUrlOf(exampleOrder(), { kind: 'expired' })).toContain('result=expired')
})
