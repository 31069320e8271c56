import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { accepted } from '../errors.ts'
import { deductFromItems } from '../amounts/order-lines.ts'
import { linesOfPeriod } from '../amounts/period-order.ts'
import { advance } from '../timeline/timeline.ts'
import type { PaidPeriod } from '../amounts/given-credit.ts'
import { type CycleItem, WITHOUT_PRODUCT } from '#modules/catalogue'
import { currentCycle, type PlanAggregate, withPlan } from '../model/plan.ts'
import type { ChangedPeriod } from '../model/plan-change.ts'
import { at, MONTHLY, newAggregate } from '../testing/plan-aggregates.ts'
import { decidePlanChange } from './decide-plan-change.ts'
import type { DecidedChange } from './decided-change.ts'
import { currentPeriod, type WantedChange } from './price-change.ts'
import type { ProrationUnit } from '../amounts/prorate.ts'

// Proves reference/billing-changes#proration.

function itemOf(currency: string, price: Money | string, id: string, quantity = 1): CycleItem {
  const money = price instanceof Money ? price : Money.ofDecimal(currency, price)
  const pricing = { model: 'per_unit', unitAmount: money.toDecimal() } as const
  const texts = { referenceId: null, description: null }
  const item = {
    ...WITHOUT_PRODUCT,
    ...texts,
    id,
    label: id,
    price: money,
    pricing,
    createdAt: at('2027-01-01T00:00:00Z'),
  }
  return { item, quantity }
}

/** A plan in its first billed period, every order of which is paid at once. */
class Life {
  aggregate: PlanAggregate
  items: readonly CycleItem[]
  billed: ChangedPeriod
  readonly paid: PaidPeriod
  readonly start: Instant
  readonly end: Instant

  constructor(options: {
    readonly zone: string
    readonly start: string
    readonly config?: BillingConfig
    readonly items: readonly CycleItem[]
  }) {
    const { zone, items, config = MONTHLY } = options
    const start = zoned(options.start, zone)
    const currency = items[0]?.item.price.currency ?? ''
    const upcoming = newAggregate({
      start,
      zone,
      cycles: [{ config }],
      plan: { credit: Money.zero(currency) },
    })
    // The first round starts the cycle and bills its first period, which may be a stub.
    const { aggregate, bill } = advance(upcoming, start)
    if (bill === undefined) throw new Error('the period is not billed')
    const { nets } = deductFromItems(linesOfPeriod(items, bill), null, bill.stub, currency)
    this.aggregate = aggregate
    this.items = items
    this.start = bill.start
    this.end = bill.end
    const parts = nets.map((net) => ({ net, from: bill.start, orderId: 'ord_1' }))
    this.billed = { start: bill.start, pricedFrom: bill.start, parts, orders: ['ord_1'] }
    this.paid = { left: sumMoney(currency, nets).times(100n), orders: [] }
  }

  change(now: Instant, items: readonly CycleItem[], unit: ProrationUnit = 'day'): DecidedChange {
    const wanted: WantedChange = { items, rhythm: null, at: 'now', proration: 'now', unit, pricedFrom: null }
    const { aggregate, billed } = this
    const { paid } = this
    const ground = { aggregate, items: [this.items], billed, paid, left: new Map(), orders: new Map(), now }
    const decided = accepted(decidePlanChange(ground, wanted))
    this.aggregate = { ...decided.aggregate, events: [] }
    this.items = items
    this.billed = decided.aggregate.plan.changedPeriod ?? billed
    return decided
  }
}

function zoned(local: string, zone: string): Instant {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant()
}

function linesOf({ order }: DecidedChange): string[] {
  const lines = order?.lines.lines ?? []
  return lines.flatMap(({ billed: { kind }, price }) =>
    kind.startsWith('proration') ? [price.toString()] : [],
  )
}

const YEARLY = { ...MONTHLY, billing_interval: 'year' } as const
const WEEKLY = { ...MONTHLY, billing_interval: 'week' } as const
const TEN_DAYS = { ...MONTHLY, billing_interval: 'day', interval_count: 10 } as const
const TWO_MONTHS = { ...MONTHLY, interval_count: 2 }
const FROM_THE_FIFTEENTH: BillingConfig = {
  billing_interval: 'month',
  interval_count: 1,
  billing_type: 'calendar',
  billing_day_of_month: 15,
  billing_proration_enabled: true,
}
const QUARTERS: BillingConfig = { ...FROM_THE_FIFTEENTH, interval_count: 3, billing_day_of_month: 1 }

type Steps = readonly (readonly [day: string, price: string, lines: readonly string[]])[]

// The numbers were worked out by hand, with fractions.
test.for<readonly [string, string, string, BillingConfig, string, string, Steps, ProrationUnit?]>([
  [
    'up in a short month',
    'Asia/Hong_Kong',
    '2027-01-31T10:00',
    MONTHLY,
    'EUR',
    '10.00',
    [['2027-02-10T10:00', '25.00', ['-6.43', '16.07']]],
  ],
  [
    'up and down again',
    'Europe/Paris',
    '2027-03-01T10:00',
    MONTHLY,
    'EUR',
    '39.90',
    [
      ['2027-03-16T10:00', '99.90', ['-20.59', '51.56']],
      ['2027-03-26T10:00', '19.90', ['-19.34', '3.85']],
    ],
  ],
  [
    'over the leap day',
    'Asia/Tokyo',
    '2028-02-01T09:00',
    MONTHLY,
    'EUR',
    '29.00',
    [
      ['2028-02-29T09:00', '58.00', ['-1.00', '2.00']],
      ['2028-02-29T10:00', '0.01', ['-2.00']],
    ],
  ],
  [
    'a year from a leap day',
    'UTC',
    '2028-02-29T00:00',
    YEARLY,
    'EUR',
    '365.00',
    [['2028-12-31T00:00', '730.00', ['-59.00', '118.00']]],
  ],
  [
    'a year with a leap day',
    'UTC',
    '2027-03-01T00:00',
    YEARLY,
    'EUR',
    '1200.00',
    [
      ['2027-09-01T00:00', '600.00', ['-596.72', '298.36']],
      ['2028-02-29T00:00', '6000.00', ['-1.64', '16.39']],
    ],
  ],
  [
    'a week',
    'America/Sao_Paulo',
    '2027-04-05T12:00',
    WEEKLY,
    'EUR',
    '7.00',
    [['2027-04-08T12:00', '14.00', ['-4.00', '8.00']]],
  ],
  [
    'every day another price',
    'Asia/Kolkata',
    '2027-04-05T12:00',
    TEN_DAYS,
    'EUR',
    '9.99',
    [
      ['2027-04-06T12:00', '19.99', ['-8.99', '17.99']],
      ['2027-04-07T12:00', '29.99', ['-15.99', '23.99']],
      ['2027-04-08T12:00', '39.99', ['-20.99', '27.99']],
    ],
  ],
  [
    'yen',
    'Asia/Tokyo',
    '2027-01-15T10:00',
    MONTHLY,
    'JPY',
    '980',
    [
      ['2027-02-01T10:00', '1980', ['-443', '894']],
      ['2027-02-14T10:00', '5', ['-64']],
    ],
  ],
  [
    'dinars',
    'Asia/Kuwait',
    '2027-06-01T10:00',
    MONTHLY,
    'KWD',
    '4.750',
    [['2027-06-11T10:00', '9.999', ['-3.167', '6.666']]],
  ],
  [
    'on the first day',
    'UTC',
    '2027-06-10T08:00',
    MONTHLY,
    'EUR',
    '30.00',
    [['2027-06-10T09:00', '60.00', ['-30.00', '60.00']]],
  ],
  [
    'on the last day',
    'UTC',
    '2027-06-10T08:00',
    MONTHLY,
    'EUR',
    '30.00',
    [['2027-07-09T23:59', '60.00', ['-1.00', '2.00']]],
  ],
  [
    'from free',
    'UTC',
    '2027-06-10T08:00',
    MONTHLY,
    'EUR',
    '0.00',
    [['2027-06-25T08:00', '60.00', ['30.00']]],
  ],
  [
    'to free and back',
    'UTC',
    '2027-06-10T08:00',
    MONTHLY,
    'EUR',
    '30.00',
    [
      ['2027-06-20T08:00', '0.00', ['-20.00']],
      ['2027-06-30T08:00', '45.00', ['15.00']],
    ],
  ],
  [
    'two months',
    'UTC',
    '2027-01-31T08:00',
    TWO_MONTHS,
    'EUR',
    '59.00',
    [['2027-02-28T08:00', '118.00', ['-31.00', '62.00']]],
  ],
  [
    'a stub of a quarter',
    'UTC',
    '2027-05-20T08:00',
    QUARTERS,
    'EUR',
    '90.00',
    [['2027-05-26T08:00', '180.00', ['-5.87', '11.74']]],
  ],
  [
    'a stub of a month',
    'UTC',
    '2027-02-10T08:00',
    FROM_THE_FIFTEENTH,
    'EUR',
    '31.00',
    [['2027-02-12T08:00', '62.00', ['-3.00', '6.00']]],
  ],
  [
    'Berlin, by day, on the day of the skipped hour',
    'Europe/Berlin',
    '2027-03-01T00:00',
    MONTHLY,
    'EUR',
    '31.00',
    [['2027-03-28T12:00', '62.00', ['-4.00', '8.00']]],
  ],
  [
    'Berlin, by second',
    'Europe/Berlin',
    '2027-03-01T00:00',
    MONTHLY,
    'EUR',
    '31.00',
    [['2027-03-28T12:00', '62.00', ['-3.50', '7.01']]],
    'second',
  ],
  [
    'New York, by second, on the day of the repeated hour',
    'America/New_York',
    '2027-11-01T00:00',
    MONTHLY,
    'EUR',
    '30.00',
    [['2027-11-07T12:00', '90.00', ['-23.47', '70.40']]],
    'second',
  ],
  [
    'Sydney, by second, on the day of the repeated hour',
    'Australia/Sydney',
    '2027-04-01T00:00',
    MONTHLY,
    'EUR',
    '30.00',
    [['2027-04-04T12:00', '60.00', ['-26.46', '52.93']]],
    'second',
  ],
])('the life of a subscription: %s', ([, zone, start, config, currency, price, steps, unit]) => {
  const life = new Life({ zone, start, config, items: [itemOf(currency, price, 'first')] })
  for (const [day, next, lines] of steps) {
    const decided = life.change(zoned(day, zone), [itemOf(currency, next, `for ${next}`)], unit)
    expect(linesOf(decided)).toEqual(lines)
  }
})

test('by second the parts of a period are elapsed milliseconds', () => {
  const life = new Life({
    zone: 'Europe/Berlin',
    start: '2027-03-01T00:00',
    items: [itemOf('EUR', '31.00', 'a')],
  })
  const now = zoned('2027-03-28T12:00', 'Europe/Berlin')
  const { proration } = life.change(now, [itemOf('EUR', '62.00', 'b')], 'second')
  expect(proration).toMatchObject({ remaining: 302_400_000, whole: 2_674_800_000 })
})

const list = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    price: fc.bigInt(0n, 20_000n),
    quantity: fc.integer({ min: 1, max: 5 }),
  }),
  {
    minLength: 1,
    maxLength: 3,
  },
)
const chain = fc.array(fc.record({ day: fc.integer({ min: 0, max: 30 }), list }), {
  minLength: 1,
  maxLength: 8,
})

test('killbill 1205: any chain of changes bills what each day was worth, within a minor unit for each item and change', () => {
  fc.assert(
    fc.property(list, chain, (first, changes) => {
      const items = (of: typeof first) =>
        of.map(({ id, price, quantity }) =>
          itemOf('EUR', Money.ofMinor('EUR', price), `${id} ${price}`, quantity),
        )
      const life = new Life({ zone: 'UTC', start: '2027-03-01T08:00', items: items(first) })
      const perDay: bigint[] = Array.from({ length: 31 }, () => grossOf(life.items))
      let billed = grossOf(life.items)
      let slack = life.items.length
      for (const { day, list: next } of changes.toSorted((a, b) => a.day - b.day)) {
        const wanted = items(next)
        const now = life.start.add({ hours: 24 * day })
        let decided: DecidedChange
        try {
          decided = life.change(now, wanted)
        } catch {
          continue
        }
        slack += 2 * (wanted.length + life.items.length)
        perDay.fill(grossOf(wanted), day)
        const { total, creditUsed, toCredit } = decided.order?.lines ?? NOTHING
        billed += total.minor + creditUsed.minor - toCredit.minor
        life.aggregate = withPlan(life.aggregate, { pendingLines: [] })
      }
      // 31 times the worth of the days, so that nothing is rounded.
      const worth = perDay.reduce((sum, gross) => sum + gross, 0n)
      const off = billed * 31n - worth
      expect(off < 0n ? -off : off).toBeLessThanOrEqual(BigInt(slack) * 31n)
    }),
    { numRuns: 300 },
  )
})

const NOTHING = { total: Money.zero('EUR'), creditUsed: Money.zero('EUR'), toCredit: Money.zero('EUR') }

function grossOf(items: readonly CycleItem[]): bigint {
  return items.reduce((sum, { item, quantity }) => sum + item.price.minor * BigInt(quantity), 0n)
}

test('the period around now is the one that was billed last', () => {
  const { aggregate, start, end } = new Life({
    zone: 'Europe/Berlin',
    start: '2027-03-01T00:00',
    items: [itemOf('EUR', '1.00', 'a')],
  })
  const period = currentPeriod(aggregate, currentCycle(aggregate))
  expect(period).toEqual({ start, end, wholeStart: start })
  expect(localDateOf(end, 'Europe/Berlin').toString()).toBe('2027-04-01')
})
