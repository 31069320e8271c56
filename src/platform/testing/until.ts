import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { realNowMs } from '#kernel/clock'

/** As long as `expect.poll` waits: no test measures speed, and the machine may be busy. */
const WITHIN_MS = 60_000

export async function until(holds: () => boolean | Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
  await eventually(holds, (it) => it, withinMs)
}

export async function eventually<T>(
  read: () => T | Promise<T>,
  isExpected: (value: T) => boolean,
  withinMs = WITHIN_MS,
): Promise<T> {
  const end = realNowMs() + withinMs
  for (;;) {
    const value = await read()
    if (isExpected(value)) return value
    if (realNowMs() > end) {
      throw new Error(
        `not within ${withinMs} ms: ${read.toString()}; the last value was ${inspect(value).slice(0, 2_000)}`,
      )
    }
    await sleep(10)
  }
}
