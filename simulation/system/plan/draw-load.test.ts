import { expect, test } from 'vitest'
import { ACQUIRER_TIMEOUT_MS, type Fault, hitsService, isDisturbance, type Kill } from './draw-faults.ts'
import { Random } from '../../random.ts'
import { drawLoad, drawLoadPlans, type Load, LOAD_ROUND_MS } from './draw-load.ts'
import type { SystemOptions } from './plan.ts'

const LOAD: Load = { plans: 400, orders: 90, months: 3, kills: 100, failovers: 0 }

function optionsOf(seed: number, options: Partial<SystemOptions> = {}): SystemOptions {
  return {
    seed,
    topology: 'all-in-one',
    acquirers: ['simulator'],
    roundMs: LOAD_ROUND_MS,
    orders: 90,
    ...options,
  }
}

function faultsOf(seed: number, load: Partial<Load> = {}, options: Partial<SystemOptions> = {}): Fault[] {
  return drawLoad(optionsOf(seed, options), { ...LOAD, ...load }).flatMap(({ faults }) => faults)
}

function killsOf(...args: Parameters<typeof faultsOf>): Kill[] {
  return faultsOf(...args).filter((fault) => !isDisturbance(fault))
}

test('a seed repeats its load, also when it is read from its file, and another seed chooses a different one', () => {
  const rounds = drawLoad(optionsOf(7), LOAD)
  expect(drawLoad(optionsOf(7), LOAD)).toEqual(rounds)
  expect(JSON.parse(JSON.stringify(rounds))).toEqual(rounds)
  expect(drawLoad(optionsOf(8), LOAD)).not.toEqual(rounds)
})

test('a load has all its plans, orders and kills, and everything is compared once, at its end', () => {
  for (const load of [LOAD, { ...LOAD, kills: 1, orders: 0 }, { ...LOAD, kills: 3, plans: 1, months: 1 }]) {
    const rounds = drawLoad(optionsOf(3), load)
    const actors = rounds.flatMap((round) => round.actors)
    const count = (kind: string): number =>
      actors.filter((actor) => actor.kind === kind).reduce((sum, { actions }) => sum + actions.length, 0)
    expect([count('plans'), count('orders')]).toEqual([load.plans, load.orders])
    const kills = rounds.flatMap(({ faults }) => faults.filter((fault) => !isDisturbance(fault)))
    expect(kills).toHaveLength(load.kills)
    expect(rounds.filter(({ goesOn }) => !goesOn)).toEqual(rounds.slice(-1))
  }
})

test('trials end at the moments at which the other plans are due', () => {
  const plans = drawLoadPlans(new Random(3, 'plans'), { plans: 400, months: 3 })
  const [tried, others] = [plans.filter(({ trial }) => trial), plans.filter(({ trial }) => !trial)]
  const moments = new Set(others.map(({ startsAfterMinutes }) => startsAfterMinutes))
  expect(moments.size).toBeLessThan(10)
  expect(tried.length).toBeGreaterThan(20)
  for (const { startsAfterMinutes, trial } of tried) {
    expect(startsAfterMinutes).toBeGreaterThanOrEqual(60)
    expect(moments).toContain(startsAfterMinutes + (trial?.minutes ?? 0))
  }
})

test('of every ten kills some hit the service alone, some with its database, and some the acquirer', () => {
  for (let seed = 0; seed < 50; seed++) {
    const kinds = new Set(killsOf(seed, { kills: 10 }).map(({ kind }) => kind))
    expect([...kinds].toSorted()).toEqual([
      'acquirer',
      'database_and_services',
      'everything',
      'service',
      'services',
    ])
  }
  expect(killsOf(1).filter(({ kind }) => kind === 'database')).toHaveLength(5)
})

test('a kill happens at a booking, while the clock moves, inside an act, or during a start that an earlier kill of its round made', () => {
  const moments = new Map<string, number>()
  for (const { faults } of drawLoad(optionsOf(11), { ...LOAD, kills: 200 })) {
    const kills = faults.filter((fault) => !isDisturbance(fault))
    for (const [nth, { moment }] of kills.entries()) {
      moments.set(moment?.on ?? '', (moments.get(moment?.on ?? '') ?? 0) + 1)
      const before = kills[nth - 1]
      if (moment?.on === 'start') expect(before !== undefined && hitsService(before.kind)).toBe(true)
    }
  }
  expect([...moments.keys()].toSorted()).toEqual(['advance', 'booking', 'paid_first', 'reissue', 'start'])
  for (const times of moments.values()) expect(times).toBeGreaterThan(10)
})

test('kills that are aimed wait for a charge, end all processes of the service, and meet changes that are charged first', () => {
  const load = { ...LOAD, isAimed: true }
  const kills = killsOf(11, load)
  expect(kills).toHaveLength(LOAD.kills)
  expect(new Set(kills.map(({ moment }) => moment?.on))).toEqual(new Set(['charged']))
  const kinds = new Set(kills.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(['database_and_services', 'everything', 'services'])
  const actors = drawLoad(optionsOf(11), load).flatMap((round) => round.actors)
  const acts = actors.flatMap((actor) => (actor.kind === 'plan_acts' ? actor.actions : []))
  const isPaidFirst = acts.filter((act) => act.do === 'change' && act.isPaidFirst && act.to === 'dearer')
  expect(isPaidFirst.length).toBeGreaterThan(acts.length * 0.7)
})

test('no kill hits a database that nobody can start again, and a pair loses its primary under load', () => {
  const spared = killsOf(5, {}, { database: { url: 'postgres://127.0.0.1/quittance' } })
  expect(spared.filter(({ kind }) => /database|everything/.test(kind))).toEqual([])
  const rounds = drawLoad(optionsOf(5, { topology: 'pair' }), { ...LOAD, kills: 0, failovers: 40 })
  const failovers = rounds.map(({ faults }) => faults.filter((fault) => 'failover' in fault).length)
  expect(failovers.reduce((sum, count) => sum + count, 0)).toBe(40)
  expect(Math.max(...failovers)).toBe(1)
})

test('some latencies exceed the timeout of the service, and most do not', () => {
  const latencies = faultsOf(5).flatMap((fault) =>
    fault.kind === 'acquirer_faults' ? [fault.faults.latency_ms] : [],
  )
  const slow = latencies.filter((latency) => latency > ACQUIRER_TIMEOUT_MS)
  expect(slow.length).toBeGreaterThan(5)
  expect(slow.length).toBeLessThan(latencies.length / 2)
})
