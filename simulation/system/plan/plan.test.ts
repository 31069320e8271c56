import { expect, test } from 'vitest'
import { PlanCoupons } from '../model/coupon-model.ts'
import { COUPONS, PRICES_HKD_MINOR } from './draw-plans.ts'
import { shareOf } from './draw-orders.ts'
import { partsOf, without } from './narrow.ts'
import { drawPlan, drawRound, type SystemOptions } from './plan.ts'
import { shrink } from './shrink.ts'

const OPTIONS: SystemOptions = {
  seed: 7,
  topology: 'separate',
  acquirers: ['simulator', 'stripe'],
  roundMs: 20_000,
  orders: 30,
}

test('a seed repeats its plan, also when the plan is read from its file, and another seed chooses a different one', () => {
  const plan = drawPlan(OPTIONS, 3)
  expect(drawPlan(OPTIONS, 3)).toEqual(plan)
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  expect(drawPlan({ ...OPTIONS, seed: 8 }, 3).rounds).not.toEqual(plan.rounds)
})

test('the choices of a round depend neither on how many rounds there are nor on those of other businesses', () => {
  const plan = drawPlan(OPTIONS, 3)
  expect(drawRound(OPTIONS, 2)).toEqual(plan.rounds[2])
  const alone = drawRound({ ...OPTIONS, acquirers: ['simulator'] }, 1)
  const together = plan.rounds[1]?.actors.filter(({ business }) => business === 0)
  expect(alone.actors).toEqual(together)
})

test('a plan without one of its parts keeps the choices of the others', () => {
  const { rounds } = drawPlan(OPTIONS, 1)
  const [round] = rounds
  if (round === undefined) throw new Error('no round')
  expect(partsOf({ options: OPTIONS, rounds })).toEqual(
    expect.arrayContaining(['orders', 'cards', 'business 1', 'chain', 'acquirer_faults']),
  )
  const narrowed = without(round, (part) => part === 'cards' || part === 'business 1')
  expect(narrowed.actors.map(({ kind, business }) => [kind, business])).toEqual([
    ['orders', 0],
    ['visits', 0],
    ['plans', 0],
    ['plan_acts', 0],
    ['invoices', 0],
    ['desk', 0],
    ['clock', 0],
  ])
  expect(narrowed.actors[0]).toEqual(round.actors[0])
  expect(narrowed.faults).toEqual(round.faults)
})

test('an action begins within the round, and a part of an order is above what acquirers refuse', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { actors, faults, chain } = drawRound({ ...OPTIONS, seed }, 1)
    const times = [...faults, ...chain, ...actors.flatMap(({ actions }) => [...actions])].map(
      ({ atMs }) => atMs,
    )
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(OPTIONS.roundMs)
    for (const actor of actors) {
      if (actor.kind !== 'orders') continue
      for (const { totalMinor } of actor.actions) expect(totalMinor).toBeGreaterThanOrEqual(10_000)
    }
  }
})

test('a change on the last of 31 days bills what acquirers take, whatever coupons came meanwhile', () => {
  const lowest = PRICES_HKD_MINOR.map((price) => new PlanCoupons([...COUPONS.keys()]).lower(price, 0))
  const differences = PRICES_HKD_MINOR.slice(1).map((_, index) => {
    const [before = 0n, after = 0n] = [PRICES_HKD_MINOR[index], lowest[index + 1]]
    return Number(after - before) / 31
  })
  expect(Math.min(...differences)).toBeGreaterThan(500)
})

test('no part of an amount is zero, which the service would refuse: 75 % of 0.01 is 0.01', () => {
  expect(shareOf(1n, 75)).toBe(1n)
  expect(shareOf(199n, 50)).toBe(99n)
  expect(shareOf(100n, 120)).toBe(120n)
})

test('each round of a pair has one failover, of a primary that is killed or falls silent, and no other world has any', () => {
  const failoversOf = (topology: SystemOptions['topology'], seed: number) =>
    drawRound({ ...OPTIONS, topology, seed }, 1).faults.flatMap((fault) =>
      'failover' in fault ? [fault.failover] : [],
    )
  const failovers = Array.from({ length: 40 }, (_, seed) => failoversOf('pair', seed))
  expect(failovers.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(failovers.flat().map((failover) => failover?.hangs))).toEqual(new Set([true, false]))
  for (let seed = 0; seed < 40; seed++) expect(failoversOf('separate', seed)).toEqual([])
})

test('a failing plan is shrunk to the actor and the two faults that it fails by', async () => {
  const plan = drawPlan(OPTIONS, 2)
  const faults = plan.rounds.flatMap((round) => round.faults)
  const guilty = [faults[2], faults[9]]
  const found = await shrink(plan, async ({ rounds }) => {
    const left = new Set(rounds.flatMap((round) => round.faults))
    const hasCards = rounds.some(({ actors }) => actors.some(({ kind }) => kind === 'cards'))
    return hasCards && guilty.every((fault) => fault !== undefined && left.has(fault))
  })
  expect(found.rounds.flatMap((round) => round.faults)).toEqual(guilty)
  expect(new Set(found.rounds.flatMap(({ actors }) => actors.map(({ kind }) => kind)))).toEqual(
    new Set(['cards']),
  )
  expect(found.rounds.every(({ chain }) => chain.length === 0)).toBe(true)
})
