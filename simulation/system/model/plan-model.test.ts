import { expect, test } from 'vitest'
import type { PlanLife } from '../plan/draw-plans.ts'
import { expectedPlan, type PlanEntry, type PlanModel } from './plan-model.ts'

const START = Temporal.Instant.from('2031-01-31T02:00:00Z')

function planOf(life: Partial<PlanLife>, ...entries: readonly PlanEntry[]): PlanModel {
  return {
    life: {
      name: 'plan',
      atMs: 0,
      card: 'approves',
      priceIndex: 1,
      frequency: 'MONTHLY',
      startsAfterMinutes: 60,
      billingCount: null,
      gracePeriod: null,
      coupons: [],
      ...life,
    },
    startsAt: START,
    id: 'pln_1',
    customerUuid: 'cus_1',
    coupons: life.coupons ?? [],
    entries: [...entries],
    transfers: [],
  }
}

function billed(model: PlanModel, until: string): string[] {
  return expectedPlan(model, Temporal.Instant.from(until)).periods.map(
    ({ dueAt, totalMinor }) => `${dueAt.toString().slice(0, 10)} ${totalMinor}`,
  )
}

function at(time: string, made: number) {
  return { at: Temporal.Instant.from(time), made }
}

test('the first period begins when the trial ends, and bills less while coupons last', () => {
  const trial = { days: 14, minutes: 20_160, withoutToken: 'cancel' } as const
  const coupons = planOf({ coupons: [0, 1], trial })
  expect(billed(coupons, '2031-05-20T00:00:00Z')).toEqual(
    [
      // 500.55 less 12.5 % is 437.98 (437.98125), less 20.00.
      '2031-02-14 41798',
      '2031-03-14 41798',
      '2031-04-14 48055',
      '2031-05-14 50055',
    ].slice(0, 4),
  )
})

test('tax comes on top of what coupons leave, also of a change, and what lowers an unpaid order is taken off with its tax', () => {
  const invoicing = { series: 'yearly', isTaxed: true, addsTax: true, isSent: false } as const
  const change = {
    ...at('2031-02-14T00:00:00Z', 1),
    do: 'change',
    priceIndex: 2,
    isScheduled: false,
    isProrated: true,
  } as const
  const paid = planOf({ coupons: [0], invoicing }, { ...change, creditedMinor: 0n, order: 'ord_1' })
  expect(billed(paid, '2031-02-20T00:00:00Z')).toEqual(['2031-01-31 45988'])
  const totalOf = (model: PlanModel) =>
    expectedPlan(model, Temporal.Instant.from('2031-02-20T00:00:00Z')).changes[0]?.totalMinor
  const unpaid = planOf({ coupons: [0], invoicing }, { ...change, creditedMinor: 22_994n, order: 'ord_1' })
  // 525.45 less 218.99 with 5 %; then 525.45 with 5 %, because 218.99 with 5 % lowered the order.
  expect([totalOf(paid), totalOf(unpaid)]).toEqual([32_178n, 55_172n])
})

test('a change bills by days what coupons leave, and a coupon of the middle of a period uses it', () => {
  const model = planOf(
    {},
    { ...at('2031-02-10T00:00:00Z', 1), do: 'attach', coupon: 0 },
    {
      ...at('2031-02-14T00:00:00Z', 1),
      do: 'change',
      priceIndex: 2,
      isScheduled: false,
      isProrated: true,
      creditedMinor: 0n,
      order: 'ord_1',
    },
  )
  const expected = expectedPlan(model, Temporal.Instant.from('2031-04-10T00:00:00Z'))
  // 14 of 28 days: half of 1,051.03 (1,050.90125 … 1,201.03 less 12.5 %) is 525.45, less half of 500.55, 250.28.
  expect(expected.changes).toEqual([{ order: 'ord_1', totalMinor: 27_517n, maxMinor: 27_517n }])
  expect(expected.periods.map(({ totalMinor }) => totalMinor)).toEqual([50_055n, 105_090n, 120_103n])
})

test('a pause skips periods, a cancellation gives back days, and a return bills what was missed', () => {
  const pause: PlanEntry = {
    ...at('2031-02-10T00:00:00Z', 1),
    do: 'pause',
    until: START.add({ hours: 24 * 30 }),
  }
  const cancel: PlanEntry = { ...at('2031-04-15T00:00:00Z', 2), do: 'cancel', unused: 'refund' }
  const missed: PlanEntry = { ...at('2031-06-15T00:00:00Z', 2), do: 'reactivate', from: 'missed' }
  const model = planOf({ billingCount: 4 }, pause, cancel, missed)
  expect(billed(model, '2031-06-20T00:00:00Z')).toEqual([
    '2031-01-31 50055',
    '2031-03-31 50055',
    '2031-06-15 50055',
    '2031-06-15 50055',
  ])
  const last = planOf({ billingCount: 1 }, pause)
  expect(expectedPlan(last, Temporal.Instant.from('2031-03-20T00:00:00Z')).states).toEqual(['completed'])
  const atOnce: PlanEntry = { ...missed, do: 'cancel', unused: 'keep' }
  expect(billed(planOf({}, pause, cancel, missed, atOnce), '2031-06-20T00:00:00Z')).toHaveLength(2)
  const canceled = expectedPlan(planOf({}, pause, cancel), cancel.at)
  expect(canceled.states).toEqual(['canceled'])
  // 15 of 30 days.
  expect(canceled.givenBackMinor).toBe(25_028n)
  const kept: PlanEntry = { ...cancel, unused: 'keep' }
  expect(expectedPlan(planOf({}, pause, kept, cancel), cancel.at).givenBackMinor).toBe(0n)
  const now = planOf({}, cancel, { ...missed, from: 'now' })
  expect(billed(now, '2031-07-20T00:00:00Z').slice(-2)).toEqual(['2031-06-15 50055', '2031-07-15 50055'])
})

test('a pause skips a period that a late job had not billed yet', () => {
  const cancel: PlanEntry = { ...at('2031-02-15T00:00:00Z', 1), do: 'cancel', unused: 'keep' }
  const again: PlanEntry = { ...at('2031-06-15T00:00:00Z', 1), do: 'reactivate', from: 'now' }
  const pauseAfter = (made: number): PlanEntry => ({
    ...at('2031-06-15T05:00:00Z', made),
    do: 'pause',
    until: Temporal.Instant.from('2031-06-16T00:00:00Z'),
  })
  const dates = (made: number) => billed(planOf({}, cancel, again, pauseAfter(made)), '2031-07-20T00:00:00Z')
  expect(dates(2).slice(1)).toEqual(['2031-06-15 50055', '2031-07-15 50055'])
  expect(dates(1).slice(1)).toEqual(['2031-07-15 50055'])
})

/** Half of the month is left, of which 250.28 were billed; its cheaper price is 2.50. */
const CHEAPER = {
  ...at('2031-02-14T00:00:00Z', 1),
  do: 'change',
  priceIndex: 0,
  isScheduled: false,
  isProrated: true,
  creditedMinor: 0n,
  order: 'ord_2',
} as const
const PERIOD = {
  number: 'ord_1',
  isOfChange: false,
  createdAt: START.add({ seconds: 2 }),
  isPrepaid: false,
} as const

function changeAfter(...entries: readonly PlanEntry[]): string[] {
  const { changes } = expectedPlan(
    planOf({}, ...entries, CHEAPER),
    Temporal.Instant.from('2031-02-20T00:00:00Z'),
  )
  return changes.map(({ totalMinor, maxMinor }) => `${totalMinor} to ${maxMinor}`)
}

test('a change gives back of the period only what notes and refunds by hand left', () => {
  const note: PlanEntry = {
    ...at('2031-02-10T00:00:00Z', 1),
    do: 'note',
    of: PERIOD,
    lineMinor: 30_055n,
    loweredMinor: 0n,
    restMinor: 30_055n,
    refund: 'none',
  }
  const refund: PlanEntry = {
    ...at('2031-02-10T00:00:00Z', 1),
    do: 'refund',
    of: PERIOD,
    amountMinor: 40_055n,
    isDone: true,
    isWhole: false,
  }
  expect(changeAfter()).toEqual(['-24778 to -24778'])
  // Half of 200.00, to the rounding of lines; of 100.00; the refund is of what the note credited before.
  expect(changeAfter(note)).toEqual(['-9752 to -9748'])
  expect(changeAfter(refund)).toEqual(['-4752 to -4748'])
  expect(changeAfter(note, refund)).toEqual(['-4752 to -4748'])
  expect(changeAfter(note, { ...refund, amountMinor: 30_055n })).toEqual(['-9752 to -9748'])
  expect(changeAfter({ ...refund, isWhole: true })).toEqual(['250 to 250'])
  expect(changeAfter({ ...refund, do: 'void' })).toEqual(['250 to 250'])
  // What became of the refund is not known.
  expect(changeAfter({ ...refund, isDone: false })).toEqual(['-24780 to 250'])
  expect(
    changeAfter({ ...refund, of: { ...PERIOD, number: 'ord_0', createdAt: START.subtract({ hours: 9 }) } }),
  ).toEqual(['-24780 to 250'])
})

test('without a card the end of the trial cancels, pauses or bills the plan', () => {
  const stateOf = (withoutToken: 'cancel' | 'pause' | 'bill') =>
    expectedPlan(planOf({ card: 'none', trial: { minutes: 60, withoutToken } }), START.add({ hours: 999 }))
      .states
  expect(stateOf('cancel')).toEqual(['canceled'])
  expect(stateOf('pause')).toEqual(['paused'])
  expect(stateOf('bill')).toEqual(['uncollectible'])
})
