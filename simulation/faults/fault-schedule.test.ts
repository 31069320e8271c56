import { expect, test } from 'vitest'
import { Random } from '../random.ts'
import { chooseFaultPhases, chooseKills } from './fault-schedule.ts'

function schedule(seed: number): unknown {
  const phases = chooseFaultPhases(new Random(seed, 'phases'), 500)
  return {
    kills: chooseKills(seed, 100),
    phases: Array.from({ length: 50 }, () => phases.next().value),
  }
}

test('a seed repeats its kills and faults, and another seed chooses different ones', () => {
  expect(schedule(7)).toEqual(schedule(7))
  expect(schedule(7)).not.toEqual(schedule(8))
})

test('of every ten kills some hit the service alone, some during an advance, some with its database, and some the acquirer', () => {
  for (let seed = 0; seed < 50; seed++) {
    const targets = new Set(chooseKills(seed, 10).map((kill) => kill.target))
    expect([...targets].toSorted()).toEqual([
      'acquirer',
      'everything',
      'service',
      'service_and_database',
      'service_in_advance',
    ])
  }
  expect(chooseKills(1, 100).filter((kill) => kill.target === 'database')).toHaveLength(5)
})

test('a kill during a start follows a kill that restarts the service', () => {
  const kills = chooseKills(11, 200)
  const duringStart = kills.flatMap((kill, index) => (kill.trigger.on === 'start' ? [index] : []))
  expect(duringStart.length).toBeGreaterThan(10)
  for (const index of duringStart) {
    expect(kills[index - 1]?.target).toMatch(/^(service|service_in_advance|service_and_database|everything)$/)
  }
})

test('some latencies exceed the timeout of the service, and most do not', () => {
  const phases = chooseFaultPhases(new Random(5, 'phases'), 500)
  const latencies = Array.from({ length: 200 }, () => phases.next().value.faults.latency_ms)
  const slow = latencies.filter((latency) => latency > 500)
  expect(slow.length).toBeGreaterThan(5)
  expect(slow.length).toBeLessThan(120)
})
