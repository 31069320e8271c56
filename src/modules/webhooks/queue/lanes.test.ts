import { expect, test } from 'vitest'
import { laneOf } from '../delivery/delivery.ts'
import { MAX_LIMIT, Lanes, type Place } from './lanes.ts'

const QUICK = 20
const SLOW = 15_000

/** A receiver that has answered quickly, so often that it may have all it can get. */
function proven(lanes: Lanes, url: string): string {
  const lane = laneOf(url)
  for (let answers = 0; answers < 10; answers++) {
    const { places } = lanes.take(lane, 1)
    for (const place of places) lanes.leave(place, QUICK)
  }
  return lane
}

function takeFrom(lanes: Lanes, urls: readonly string[]): Place[] {
  return urls.flatMap((url) => lanes.take(laneOf(url), 100).places)
}

const manyHosts = Array.from({ length: 1_000 }, (_, index) => `https://dead-${index}.example.com/`)

test('a thousand dead hosts leave places for a receiver that is known to be quick', () => {
  const lanes = new Lanes()
  const quick = proven(lanes, 'https://quick.example.com/')
  const another = proven(lanes, 'https://another.example.com/')
  const unknown = takeFrom(lanes, manyHosts)
  expect(unknown.length).toBeLessThan(100)
  expect(lanes.take(quick, MAX_LIMIT).places).toHaveLength(MAX_LIMIT)
  for (const place of unknown) lanes.turnsSlow(place)
  takeFrom(lanes, manyHosts)
  expect(lanes.take(another, MAX_LIMIT).places).toHaveLength(MAX_LIMIT)
})

test('quick receivers that die together hold up the others only until they count as slow', () => {
  const lanes = new Lanes()
  const dying = Array.from({ length: 3 }, (_, index) => proven(lanes, `https://dying-${index}.example.com/`))
  const last = proven(lanes, 'https://last.example.com/')
  const taken = dying.flatMap((lane) => lanes.take(lane, MAX_LIMIT).places)
  expect(lanes.take(last, 1).blocker).toBe('quick')
  for (const place of taken) lanes.turnsSlow(place)
  expect(lanes.take(last, MAX_LIMIT).places).toHaveLength(MAX_LIMIT)
  for (const lane of dying) expect(lanes.take(lane, 1).blocker).toBe(lane)
})

test('a dead host gets few places, however many URLs lead to it', () => {
  const lanes = new Lanes()
  const urls = Array.from({ length: 1_000 }, (_, index) => `https://dead.example.com/orders/${index}`)
  expect(takeFrom(lanes, urls).length).toBeLessThanOrEqual(8)
})

test('a dead URL does not keep the others of its host waiting', () => {
  const lanes = new Lanes()
  const quick = proven(lanes, 'https://shop.example.com/ok')
  for (const place of takeFrom(lanes, ['https://shop.example.com/dead'])) lanes.turnsSlow(place)
  takeFrom(lanes, ['https://shop.example.com/dead'])
  expect(lanes.take(quick, 10).places).toHaveLength(10)
  expect(lanes.take(laneOf('https://shop.example.com/new'), 1).places).toHaveLength(1)
})

test('a receiver is given more with each quick answer, and little again when it is slow', () => {
  const lanes = new Lanes()
  const lane = laneOf('https://shop.example.com/')
  const limits: number[] = []
  for (const durationMs of [QUICK, QUICK, QUICK, SLOW, QUICK]) {
    const { places } = lanes.take(lane, 100)
    limits.push(places.length)
    const [first, ...others] = places
    for (const place of others) lanes.leave(place, undefined)
    if (first !== undefined) lanes.leave(first, durationMs)
  }
  expect(limits).toEqual([1, 2, 4, 8, 4])
})

test('whatever was taken is free again after it was left', () => {
  const lanes = new Lanes()
  for (let round = 0; round < 50; round++) {
    const places = takeFrom(lanes, manyHosts)
    expect(places.length).toBeGreaterThanOrEqual(64)
    for (const [index, place] of places.entries()) {
      if (index % 3 === 0) lanes.turnsSlow(place)
      lanes.leave(place, index % 2 === 0 ? undefined : SLOW)
    }
  }
})

test('an exchange that turns out to be slow names those who waited for the place it takes no more', () => {
  const lanes = new Lanes()
  const lane = proven(lanes, 'https://shop.example.com/')
  const { places } = lanes.take(lane, 1)
  const [place] = places
  expect(place && lanes.turnsSlow(place)).toEqual(['quick', 'unknown'])
  expect(place && lanes.turnsSlow(place)).toEqual([])
})

test('leaving a place names what others waited for', () => {
  const lanes = new Lanes()
  const lane = laneOf('https://shop.example.com/')
  const { places, blocker } = lanes.take(lane, 2)
  const [place] = places
  expect(blocker).toBe(lane)
  expect(place && lanes.leave(place, QUICK)).toContain(blocker)
})
