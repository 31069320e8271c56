import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { lineTotal } from '#modules/payments'
import { at, newAggregate } from '../testing/plan-aggregates.ts'
import type { PlanAggregate } from '../model/plan.ts'
import type { Coupon, CouponTerms, Discount, Line, PlanCoupon } from '#modules/catalogue'
import { couponsOf, withPeriodLowered } from './lowering-coupons.ts'
import { billLines, deductFromItems } from './order-lines.ts'

// Proves reference/billing-coupons#order, reference/billing-coupons#periods.
const EUR = (text: string) => Money.ofDecimal('EUR', text)
const percent = (rate: string): Discount => ({ type: 'percentage', rate: decimal(rate) })
const fixed = (amount: string): Discount => ({ type: 'fixed_amount', amount: EUR(amount) })

function item(price: string, productId: string | null = null): Line {
  return { label: 'Gold', price: EUR(price), quantity: 1, productId, billed: { kind: 'item' } }
}

function coupon(off: Discount, productIds: readonly string[] | null = null, name = 'Coupon'): CouponTerms {
  return { id: name, name, off, productIds }
}

test('20 and 30 less 10 %, then 25 %, then 5.00 are 28.75, and the deductions are shared as 8.50 and 12.75', () => {
  const items = [item('20.00'), item('30.00')]
  const coupons = [coupon(percent('25'), null, 'Quarter'), coupon(fixed('5.00'), null, 'Five')]
  const { lines, total } = billLines({ items, discount: percent('10'), coupons, credit: EUR('0') })
  expect(lines.slice(2).map(({ label, price }) => [label, price.toString()])).toEqual([
    ['Discount', '-5.00'],
    ['Quarter', '-11.25'],
    ['Five', '-5.00'],
  ])
  expect(total.toString()).toBe('28.75')
  const { nets } = deductFromItems(items, percent('10'), undefined, 'EUR', coupons)
  const shares = nets.map((net, index) =>
    lineTotal(items[index] ?? item('0'))
      .minus(net)
      .toString(),
  )
  expect(shares).toEqual(['8.50', '12.75'])
})

test('the other way round 5.00, then 25 % leave 30.00', () => {
  const { total } = billLines({
    items: [item('20.00'), item('30.00')],
    discount: percent('10'),
    coupons: [coupon(fixed('5.00')), coupon(percent('25'))],
    credit: EUR('0'),
  })
  expect(total.toString()).toBe('30.00')
})

test('a coupon lowers the lines of its products only, and never below 0', () => {
  const items = [item('20.00', 'a'), item('30.00', 'b'), item('5.00')]
  const { nets, lines } = deductFromItems(items, null, undefined, 'EUR', [
    coupon(fixed('25.00'), ['a']),
    coupon(percent('50'), ['a', 'b']),
  ])
  expect(nets.map(String)).toEqual(['0.00', '15.00', '5.00'])
  expect(lines.map(({ price }) => price.toString())).toEqual(['-20.00', '-15.00'])
})

test('a coupon with nothing left to lower has no line and lowers nothing', () => {
  const { lines, lowering } = billLines({
    items: [item('20.00')],
    discount: null,
    coupons: [coupon(percent('100'), null, 'All'), coupon(fixed('5.00'), null, 'Five')],
    credit: EUR('0'),
  })
  expect(lines.map(({ label }) => label)).toEqual(['Gold', 'All'])
  expect(lowering).toEqual(['All'])
})

test('a fixed coupon lowers a stub in proportion, and a percentage the stub itself', () => {
  const stub = { days: 12, periodDays: 92 }
  const { lines } = deductFromItems([item('90.00')], null, stub, 'EUR', [
    coupon(fixed('10.00')),
    coupon(percent('50')),
  ])
  // 90.00 × 12 ÷ 92 = 11.74; 10.00 × 12 ÷ 92 = 1.30; half of the 10.44 is left.
  expect(lines.map(({ price }) => price.toString())).toEqual(['-78.26', '-1.30', '-5.22'])
})

const money = fc.bigInt(0n, 100_000n).map((minor) => Money.ofMinor('EUR', minor))
const off: fc.Arbitrary<Discount> = fc.oneof(
  money.map((amount) => ({ type: 'fixed_amount' as const, amount })),
  fc.integer({ min: 1, max: 100_000_000 }).map((millionths) => percent((millionths / 1e6).toFixed(6))),
)
const product = fc.constantFrom('a', 'b', null)
const items = fc.array(
  fc.record({
    label: fc.constant('Gold'),
    price: money,
    quantity: fc.integer({ min: 1, max: 9 }),
    productId: product,
    billed: fc.constant({ kind: 'item' as const }),
  }),
  { minLength: 1, maxLength: 6 },
)
const coupons = fc.array(
  fc.record({
    id: fc.uuid(),
    name: fc.constant('Coupon'),
    off,
    productIds: fc.constantFrom(null, ['a'], ['b'], ['a', 'b']),
  }),
  { maxLength: 5 },
)
const discount = fc.option(off)

test('what is left of each item sums to the total, no item goes below 0 or above its price', () => {
  fc.assert(
    fc.property(items, discount, coupons, (lines, cycleDiscount, attached) => {
      const { total } = billLines({
        items: lines,
        discount: cycleDiscount,
        coupons: attached,
        credit: EUR('0'),
      })
      const { nets } = deductFromItems(lines, cycleDiscount, undefined, 'EUR', attached)
      expect(sumMoney('EUR', nets).equals(total)).toBe(true)
      for (const [index, net] of nets.entries()) {
        expect(net.isNegative()).toBe(false)
        expect(net.greaterThan(lineTotal(lines[index] ?? item('0')))).toBe(false)
      }
    }),
  )
})

test('lago-api 1215: coupons that cover different products never lower an order by more than its lines', () => {
  fc.assert(
    fc.property(items, coupons, (lines, attached) => {
      const { lines: billed, total } = billLines({
        items: lines,
        discount: null,
        coupons: attached,
        credit: EUR('0'),
      })
      expect(total.isNegative()).toBe(false)
      expect(sumMoney('EUR', billed.map(lineTotal)).equals(total)).toBe(true)
    }),
  )
})

test('percentages leave the same in any order but for a minor unit each, a fixed amount before them leaves no less', () => {
  fc.assert(
    fc.property(
      items,
      money,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      (lines, amount, p, q) => {
        const leftBy = (...offs: readonly Discount[]) =>
          billLines({
            items: lines,
            discount: null,
            coupons: offs.map((each) => coupon(each)),
            credit: EUR('0'),
          }).total.minor
        const difference =
          leftBy(percent(String(p)), percent(String(q))) - leftBy(percent(String(q)), percent(String(p)))
        expect(difference >= -2n && difference <= 2n).toBe(true)
        const amountOff: Discount = { type: 'fixed_amount', amount }
        expect(leftBy(amountOff, percent(String(p)))).toBeGreaterThanOrEqual(
          leftBy(percent(String(p)), amountOff),
        )
      },
    ),
  )
})

function attachedCoupon(terms: Partial<Coupon> = {}): PlanCoupon {
  const now = at('2031-01-01T00:00:00Z')
  return {
    position: 0,
    coupon: {
      ...coupon(percent('10')),
      currency: null,
      times: null,
      until: null,
      customerUuids: null,
      isExclusive: false,
      minimumAmount: null,
      isForFirstOrder: false,
      maxRedemptions: null,
      redeemUntil: null,
      redemptions: 1,
      referenceId: null,
      metadata: null,
      createdAt: now,
      updatedAt: now,
      ...terms,
    },
    code: null,
    periodsLowered: 0,
    loweredPeriod: null,
    attachedAt: now,
    endedAt: null,
  }
}

const periodStarts = Array.from({ length: 8 }, (_, index) => at(`2031-0${index + 1}-01T00:00:00Z`))
/** Orders in the order of their periods, each with whether it has anything that a coupon could lower. */
const orders = fc
  .array(fc.record({ period: fc.integer({ min: 0, max: 7 }), isLowered: fc.boolean() }), { maxLength: 30 })
  .map((unsorted) => unsorted.toSorted((a, b) => a.period - b.period))

test('a coupon lowers all orders of its first periods that it can lower, as many periods as it has times', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 4 }), (made, times) => {
      let aggregate: PlanAggregate = {
        ...newAggregate({ start: at('2031-01-01T00:00:00Z') }),
        coupons: [attachedCoupon({ times })],
      }
      const lowered: number[] = []
      const offered: number[] = []
      for (const { period, isLowered } of made) {
        const start = periodStarts[period] ?? at('2031-01-01T00:00:00Z')
        const applying = couponsOf(aggregate, [], null, { start, at: start })
        if (applying.length > 0) offered.push(period)
        const lowering = isLowered ? applying.map(({ id }) => id) : []
        if (lowering.length > 0) lowered.push(period)
        aggregate = withPeriodLowered(aggregate, { start, at: start }, lowering)
      }
      const wanted = [...new Set(made.flatMap(({ period, isLowered }) => (isLowered ? [period] : [])))]
      const first = wanted.slice(0, times)
      expect(lowered).toEqual(
        made.flatMap(({ period, isLowered }) => (isLowered && first.includes(period) ? [period] : [])),
      )
      expect(aggregate.coupons[0]?.periodsLowered).toBe(first.length)
      const last = first.length < times ? 7 : (first.at(-1) ?? 7)
      expect(offered).toEqual(made.flatMap(({ period }) => (period <= last ? [period] : [])))
    }),
  )
})

test('a coupon lowers orders before its end, and none at it', () => {
  const until = at('2031-03-01T00:00:00Z')
  const aggregate = {
    ...newAggregate({ start: at('2031-01-01T00:00:00Z') }),
    coupons: [attachedCoupon({ until })],
  }
  const start = at('2031-02-01T00:00:00Z')
  const before = couponsOf(aggregate, [], null, { start, at: at('2031-02-28T23:59:59.999Z') })
  expect(before).toHaveLength(1)
  expect(couponsOf(aggregate, [], null, { start, at: until })).toEqual([])
  expect(withPeriodLowered(aggregate, { start, at: until }, []).coupons).toMatchObject([{ endedAt: until }])
})
