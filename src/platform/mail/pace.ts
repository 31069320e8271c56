import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '#kernel/time-units'

interface PaceClock {
  nowMs(): number
  wait(ms: number): Promise<unknown>
}

const STEADY_CLOCK: PaceClock = { nowMs: () => performance.now(), wait: (ms) => delay(ms) }

/**
 * Grants turns one after the other: evenly spaced, and never more than `perSecond` within a second. Slots of the last second
 * that nobody asked for in time are made up, so that a busy process holds the rate. 0 is no limit.
 */
export function paced(perSecond: number, clock = STEADY_CLOCK): () => Promise<void> {
  if (perSecond === 0) return () => Promise.resolve()
  // When the latest `perSecond` turns were granted.
  const grantedMs = Array.from({ length: perSecond }, () => -Infinity)
  let turns = 0
  let slotMs: number | undefined
  const grant = async () => {
    const index = turns++ % perSecond
    const startMs = clock.nowMs()
    slotMs = Math.max(slotMs === undefined ? startMs : slotMs + SECOND_MS / perSecond, startMs - SECOND_MS)
    const atMs = Math.max(slotMs, (grantedMs[index] ?? 0) + SECOND_MS)
    // A timer may fire a little too early.
    for (let now = clock.nowMs(); now < atMs; now = clock.nowMs()) await clock.wait(Math.ceil(atMs - now))
    grantedMs[index] = clock.nowMs()
  }
  let last = Promise.resolve()
  return () => {
    last = last.then(grant)
    return last
  }
}
