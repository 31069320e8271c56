import { expect, test } from 'vitest'
import { receiverKey } from '../model/receiver-key.ts'
import { EndpointLimiter, MAX_LIMIT, type Slot } from './endpoint-limiter.ts'

// Proves reference/events#deliveries.

const QUICK = 20
const SLOW = 15_000

/** A receiver that has responded quickly often enough to have the highest limit. */
function fastReceiver(limiter: EndpointLimiter, url: string): string {
  const receiver = receiverKey(url)
  for (let responses = 0; responses < 10; responses++) {
    const { slots } = limiter.acquire(receiver, 1)
    for (const slot of slots) limiter.release(slot, QUICK)
  }
  return receiver
}

function acquireAll(limiter: EndpointLimiter, urls: readonly string[]): Slot[] {
  return urls.flatMap((url) => limiter.acquire(receiverKey(url), 100).slots)
}

const manyHosts = Array.from({ length: 1_000 }, (_, index) => `https://dead-${index}.example.com/`)

test('a thousand dead hosts leave slots for a fast receiver', () => {
  const limiter = new EndpointLimiter()
  const fast = fastReceiver(limiter, 'https://fast.example.com/')
  const another = fastReceiver(limiter, 'https://another.example.com/')
  const slots = acquireAll(limiter, manyHosts)
  expect(slots.length).toBeLessThan(100)
  expect(limiter.acquire(fast, MAX_LIMIT).slots).toHaveLength(MAX_LIMIT)
  for (const slot of slots) limiter.markSlow(slot)
  acquireAll(limiter, manyHosts)
  expect(limiter.acquire(another, MAX_LIMIT).slots).toHaveLength(MAX_LIMIT)
})

test('fast receivers that die together delay the others only until they count as slow', () => {
  const limiter = new EndpointLimiter()
  const dying = Array.from({ length: 3 }, (_, index) =>
    fastReceiver(limiter, `https://dying-${index}.example.com/`),
  )
  const last = fastReceiver(limiter, 'https://last.example.com/')
  const slots = dying.flatMap((receiver) => limiter.acquire(receiver, MAX_LIMIT).slots)
  expect(limiter.acquire(last, 1).reached).toBe('fast')
  for (const slot of slots) limiter.markSlow(slot)
  expect(limiter.acquire(last, MAX_LIMIT).slots).toHaveLength(MAX_LIMIT)
  for (const receiver of dying) expect(limiter.acquire(receiver, 1).reached).toBe(receiver)
})

test('a dead host gets few slots, however many URLs it has', () => {
  const limiter = new EndpointLimiter()
  const urls = Array.from({ length: 1_000 }, (_, index) => `https://dead.example.com/orders/${index}`)
  expect(acquireAll(limiter, urls).length).toBeLessThanOrEqual(8)
})

test('a dead URL does not delay the other URLs of its host', () => {
  const limiter = new EndpointLimiter()
  const fast = fastReceiver(limiter, 'https://shop.example.com/ok')
  for (const slot of acquireAll(limiter, ['https://shop.example.com/dead'])) limiter.markSlow(slot)
  acquireAll(limiter, ['https://shop.example.com/dead'])
  expect(limiter.acquire(fast, 10).slots).toHaveLength(10)
  expect(limiter.acquire(receiverKey('https://shop.example.com/new'), 1).slots).toHaveLength(1)
})

test('the limit of a receiver doubles with each quick response and falls with a slow one', () => {
  const limiter = new EndpointLimiter()
  const receiver = receiverKey('https://shop.example.com/')
  const limits: number[] = []
  for (const durationMs of [QUICK, QUICK, QUICK, SLOW, QUICK]) {
    const { slots } = limiter.acquire(receiver, 100)
    limits.push(slots.length)
    const [first, ...others] = slots
    for (const slot of others) limiter.release(slot, undefined)
    if (first !== undefined) limiter.release(first, durationMs)
  }
  expect(limits).toEqual([1, 2, 4, 8, 4])
})

test('every released slot can be acquired again', () => {
  const limiter = new EndpointLimiter()
  for (let round = 0; round < 50; round++) {
    const slots = acquireAll(limiter, manyHosts)
    expect(slots.length).toBeGreaterThanOrEqual(64)
    for (const [index, slot] of slots.entries()) {
      if (index % 3 === 0) limiter.markSlow(slot)
      limiter.release(slot, index % 2 === 0 ? undefined : SLOW)
    }
  }
})

test('marking a slot as slow names the limits that have room again, once', () => {
  const limiter = new EndpointLimiter()
  const receiver = fastReceiver(limiter, 'https://shop.example.com/')
  const [slot] = limiter.acquire(receiver, 1).slots
  expect(slot && limiter.markSlow(slot)).toEqual(['fast', 'new'])
  expect(slot && limiter.markSlow(slot)).toEqual([])
})

test('releasing a slot names the limit that was reached', () => {
  const limiter = new EndpointLimiter()
  const receiver = receiverKey('https://shop.example.com/')
  const { slots, reached } = limiter.acquire(receiver, 2)
  const [slot] = slots
  expect(reached).toBe(receiver)
  expect(slot && limiter.release(slot, QUICK)).toContain(reached)
})
