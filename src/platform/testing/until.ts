import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { realNowMs } from '#kernel/clock'

/** As long as `expect.poll` waits: no test measures speed, and the machine may be busy. */
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 100

export async function until(holds: () => boolean | Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
  await eventually(holds, (it) => it, withinMs)
}

/** Reads again after a tenth of the time that has passed: many reads are requests to a service, which other tests wait for. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isExpected: (value: T) => boolean,
  withinMs = WITHIN_MS,
): Promise<T> {
  const startedAtMs = realNowMs()
  for (;;) {
    const value = await read()
    if (isExpected(value)) return value
    const passedMs = realNowMs() - startedAtMs
    if (passedMs > withinMs) {
      throw new Error(
        `not within ${withinMs} ms: ${read.toString()}; the last value was ${inspect(value).slice(0, 2_000)}`,
      )
    }
    await sleep(Math.min(Math.max(passedMs / 10, FIRST_PAUSE_MS), MAX_PAUSE_MS))
  }
}
