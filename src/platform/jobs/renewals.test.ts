import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Renewal, whileRenewing } from './renewals.ts'

const EVERY_MS = 20

/** The results of renewals in order; the last one repeats. */
function renewing(...results: (boolean | Error)[]) {
  const renewedAtMs: number[] = []
  const startedAtMs = performance.now()
  const renewal: Renewal = {
    everyMs: EVERY_MS,
    renew: async () => {
      const result = results[Math.min(renewedAtMs.length, results.length - 1)] ?? true
      renewedAtMs.push(performance.now() - startedAtMs)
      if (result instanceof Error) throw result
      return result
    },
  }
  return { renewal, renewedAtMs }
}

test('a lease is renewed while the work runs and not after it, and the work keeps its result', async () => {
  const { renewal, renewedAtMs } = renewing()
  const result = await whileRenewing(renewal, async () => {
    await expect.poll(() => renewedAtMs.length, { interval: 5 }).toBeGreaterThanOrEqual(3)
    return 'done'
  })
  expect(result).toBe('done')
  const count = renewedAtMs.length
  await sleep(5 * EVERY_MS)
  expect(renewedAtMs).toHaveLength(count)
})

test('work that fails ends the renewals, too', async () => {
  const { renewal, renewedAtMs } = renewing()
  await expect(whileRenewing(renewal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await sleep(5 * EVERY_MS)
  expect(renewedAtMs).toEqual([])
})

test('a renewal that fails is tried again, and a lease that somebody else has is lost', async () => {
  const { renewal, renewedAtMs } = renewing(new Error('unreachable'), true, false)
  await whileRenewing(renewal, async (isLost) => {
    expect(isLost()).toBe(false)
    await expect.poll(isLost, { interval: 5 }).toBe(true)
    await sleep(5 * EVERY_MS)
  })
  expect(renewedAtMs).toHaveLength(3)
})

test('the first renewal may come sooner than the others', async () => {
  const { renewal, renewedAtMs } = renewing()
  await whileRenewing({ ...renewal, firstAfterMs: 1, everyMs: 3_600_000 }, () => sleep(5 * EVERY_MS))
  expect(renewedAtMs).toHaveLength(1)
})
