import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SECOND_MS } from '#kernel/time-units'
import { paced } from './pace.ts'

interface Lateness {
  readonly lateMs?: readonly number[]
  readonly batch?: number
  readonly pauseMs?: number
}

/** When each turn was granted. Waits end late by `lateMs` in turn, and after each batch nobody asks for a while. */
async function grantsOf(
  perSecond: number,
  turns: number,
  { lateMs = [0], batch = turns, pauseMs = 0 }: Lateness = {},
): Promise<number[]> {
  let nowMs = 5_000
  let waits = 0
  const turn = paced(perSecond, {
    nowMs: () => nowMs,
    wait: async (ms) => {
      nowMs += ms + (lateMs[waits++ % lateMs.length] ?? 0)
    },
  })
  const granted: number[] = []
  for (let index = 0; index < turns; index++) {
    if (index > 0 && index % batch === 0) nowMs += pauseMs
    await turn()
    granted.push(nowMs)
  }
  return granted
}

// Proves reference/messages#tries.
test('no second holds more turns than the rate, however late the process is', async () => {
  const late = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 20 })
  const small = fc.integer({ min: 1, max: 40 })
  const pause = fc.integer({ min: 0, max: 3_000 })
  await fc.assert(
    fc.asyncProperty(small, late, small, pause, async (perSecond, lateMs, batch, pauseMs) => {
      const granted = await grantsOf(perSecond, perSecond * 3 + 5, { lateMs, batch, pauseMs })
      for (const [index, at] of granted.entries()) {
        const before = granted[index - perSecond] ?? -Infinity
        expect(at - before).toBeGreaterThanOrEqual(SECOND_MS)
      }
    }),
  )
})

test('pauses between batches hardly lower the rate', async () => {
  for (const pauseMs of [100, 250]) {
    const granted = await grantsOf(60, 601, { batch: 50, pauseMs })
    const seconds = ((granted.at(-1) ?? 0) - (granted[0] ?? 0)) / SECOND_MS
    expect(600 / seconds, `${pauseMs}`).toBeGreaterThan(57)
  }
})

test('a process that is in time spaces turns evenly', async () => {
  const granted = await grantsOf(20, 40)
  const gaps = granted.slice(1).map((at, index) => at - (granted[index] ?? 0))
  expect(new Set(gaps)).toEqual(new Set([50]))
})
