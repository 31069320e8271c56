import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { LinkedOrderView, Order, Transaction } from '#modules/payments'
import { resultOf, returnAddress, standingOf, wayOut } from './checkout-order.ts'
import { exampleOrder, exampleTransaction, MADE_AT } from '../testing/example-order.ts'

const HUNDRED = Money.ofDecimal('HKD', '100.00')

function standing(
  members: Partial<Order>,
  transactions: readonly Transaction[] = [],
  status: LinkedOrderView['status'] = 'payable',
) {
  return standingOf({ order: { ...exampleOrder(), ...members }, transactions, status, now: MADE_AT })
}

test('while something is under way the order is not offered for payment a second time', () => {
  const reserved = { reservedTotal: HUNDRED }
  const waiting = exampleTransaction(exampleOrder(), {
    state: 'requires_action',
    nextAction: { type: 'three_d_secure', url: 'https://bank.example.com' },
  })
  expect(standing(reserved, [waiting])).toMatchObject({ kind: 'action', url: 'https://bank.example.com' })
  for (const state of ['initiated', 'pending', 'unknown', 'authorized'] as const) {
    expect(standing(reserved, [exampleTransaction(exampleOrder(), { state })])).toEqual({
      kind: 'processing',
    })
  }
})

test('a link that has closed still shows the end of a payment that began before', () => {
  expect(standing({}, [], 'closed')).toEqual({ kind: 'closed' })
  expect(standing({ reservedTotal: HUNDRED }, [], 'closed')).toEqual({ kind: 'processing' })
})

test('what was refunded is neither payable nor called paid', () => {
  const part = Money.ofDecimal('HKD', '40.00')
  expect(standing({ state: 'completed', paidTotal: HUNDRED }, [], 'paid')).toEqual({ kind: 'paid' })
  expect(standing({ state: 'completed', paidTotal: part }, [], 'paid')).toEqual({ kind: 'refunded' })
  expect(standing({ state: 'refunded' }, [], 'paid')).toEqual({ kind: 'refunded' })
})

test('the merchant learns how it ended, beside what its own address says', () => {
  const order = exampleOrder()
  const declined = exampleTransaction(order, { state: 'failed' })
  expect(resultOf(standing({}))).toBe('canceled')
  expect(resultOf(standing({}, [declined]))).toBe('failed')
  const ended = (responseCode: string) => ({
    ...declined,
    answer: { ...declined.answer, failure: 'canceled' as const, responseCode },
  })
  expect(resultOf(standing({}, [ended('canceled')]))).toBe('canceled')
  expect(resultOf(standing({}, [ended('expired')]))).toBe('failed')
  expect(resultOf(standing({ state: 'expired' }, [], 'gone'))).toBe('expired')
  expect(resultOf(standing({ state: 'completed', paidTotal: HUNDRED }, [], 'paid'))).toBe('paid')
  expect(returnAddress(order, 'paid')).toBe(
    'https://shop.example.com/done?cart=7&order_number=ord_01kanq3x5kf0vsd2pjtwyt7cyr&reference_number=INV-2031-0042&result=paid',
  )
})

test('what the merchant learns is added to its address, which stays as it was written', () => {
  const added = 'order_number=ord_01kanq3x5kf0vsd2pjtwyt7cyr&reference_number=INV-2031-0042&result=expired'
  for (const [own, returned] of [
    ['?a=b%20c&flag&result=own#top', `?a=b%20c&flag&result=own&${added}#top`],
    ['#top?no=query', `?${added}#top?no=query`],
    ['?', `?${added}`],
  ]) {
    const order = { ...exampleOrder(), returnUrl: `https://shop.example.com/done${own}` }
    expect(returnAddress(order, 'expired')).toBe(`https://shop.example.com/done${returned}`)
  }
})

test('when the time to pay ran out, the payer goes where the timeout says, else back to the shop', () => {
  const url = 'https://shop.example.com/too-late'
  const timed = { ...exampleOrder(), timeout: { timer: '60', seconds: 60, url } }
  expect(wayOut(timed, { kind: 'expired' })).toBe(url)
  expect(wayOut(timed, { kind: 'closed' })).toBe(url)
  expect(wayOut(timed, { kind: 'paid' })).toContain('result=paid')
  expect(wayOut(exampleOrder(), { kind: 'expired' })).toContain('result=expired')
})
