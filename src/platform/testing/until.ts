import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { realNowMs } from '#kernel/clock'

/** Waits until it holds. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  await eventually(holds, (it) => it, withinMs)
}

/** Waits until `look` answers something that `isThere`, and answers it; fails with what it saw last. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isThere: (found: T) => boolean,
  withinMs = 25_000,
): Promise<T> {
  const end = realNowMs() + withinMs
  for (;;) {
    const found = await look()
    if (isThere(found)) return found
    if (realNowMs() > end) {
      throw new Error(`not within ${withinMs} ms: ${look.toString()}, but ${inspect(found).slice(0, 2_000)}`)
    }
    await sleep(10)
  }
}
