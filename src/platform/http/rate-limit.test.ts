import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RateLimiter } from '#platform/http/rate-limit'

// Proves reference/access#rate-limits.
test('an app may burst to twice its rate, then gets its rate, independently of other apps', () => {
  let now = 1_000
  const limiter = new RateLimiter(10, () => now)
  const taken = (app: string) =>
    Array.from({ length: 100 }, () => limiter.take(app).allowed).filter(Boolean).length
  expect(taken('a')).toBe(20)
  expect(taken('b')).toBe(20)
  now += 500
  expect(taken('a')).toBe(5)
  now += 60_000
  expect(taken('a')).toBe(20)
})

test('setting the clock back neither adds nor removes tokens', () => {
  let now = 10_000
  const limiter = new RateLimiter(1, () => now)
  limiter.take('a')
  limiter.take('a')
  now = 0
  expect(limiter.take('a')).toEqual({ allowed: false, header: '"app";r=0;t=2', retryAfterSeconds: 1 })
})

test('the number of buckets is bounded', () => {
  const limiter = new RateLimiter(1, () => 0)
  for (let i = 0; i < 250_000; i++) expect(limiter.take(`app_${i}`).allowed).toBe(true)
})

test('a thousand refusals are held at once, and more of them are not', async () => {
  const limiter = new RateLimiter(1)
  let ended = 0
  const held = Array.from({ length: 1_000 }, async () => {
    await limiter.holdRefusal()
    ended++
  })
  await limiter.holdRefusal()
  expect(ended).toBe(0)
  await Promise.all(held)
  const heldAgain = limiter.holdRefusal().then(() => 'held')
  expect(await Promise.race([heldAgain, setImmediate('later')])).toBe('later')
})
