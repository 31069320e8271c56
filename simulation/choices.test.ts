import { expect, test } from 'vitest'
import { chooseKills, chooseOrders, choosePlans, chooseStrides, chooseWeather } from './choices.ts'

function everything(seed: number): unknown {
  const weather = chooseWeather(seed, 500)
  return {
    kills: chooseKills(seed, 100),
    plans: choosePlans(seed, 200).map((plan) => ({ ...plan, startsAfter: plan.startsAfter.toString() })),
    orders: chooseOrders(seed, 50),
    strides: chooseStrides(seed, 40).map((stride) => stride && [stride.beyond.toString(), stride.idleMs]),
    weather: Array.from({ length: 50 }, () => weather.next().value),
  }
}

test('a seed chooses the same again, another seed something else', () => {
  expect(everything(7)).toEqual(everything(7))
  expect(everything(7)).not.toEqual(everything(8))
})

test('ten kills strike the service alone, in an advance, with the database, and the simulator', () => {
  for (let seed = 0; seed < 50; seed++) {
    const targets = new Set(chooseKills(seed, 10).map((kill) => kill.target))
    expect([...targets].toSorted()).toEqual([
      'everything',
      'service',
      'service_and_database',
      'service_in_advance',
      'simulator',
    ])
  }
  expect(chooseKills(1, 100).filter((kill) => kill.target === 'database')).toHaveLength(5)
})

test('a kill at a start follows a kill that made the service start', () => {
  const kills = chooseKills(11, 200)
  const atStart = kills.flatMap((kill, index) => (kill.when.on === 'start' ? [index] : []))
  expect(atStart.length).toBeGreaterThan(10)
  for (const index of atStart) {
    expect(kills[index - 1]?.target).toMatch(/^(service|service_in_advance|service_and_database|everything)$/)
  }
})

test('some weather is slower than the service waits, and every amount can be parted', () => {
  const weather = chooseWeather(5, 500)
  const latencies = Array.from({ length: 200 }, () => weather.next().value.faults.latency_ms)
  const slow = latencies.filter((latency) => latency > 500)
  expect(slow.length).toBeGreaterThan(5)
  expect(slow.length).toBeLessThan(120)
  for (const order of chooseOrders(5, 500)) {
    expect(order.partMinor).toBeGreaterThan(0n)
    expect(order.partMinor).toBeLessThan(order.totalMinor)
  }
})
