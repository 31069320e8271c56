import { setImmediate } from 'node:timers/promises'

/**
 * How long the work keeps the event loop from its next turn at most, in ms of this thread's CPU time: what other processes do on the
 * machine does not count.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const seen = { longest: 0, isOver: false }
  const watch = async () => {
    for (let before = process.threadCpuUsage(); !seen.isOver;) {
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      seen.longest = Math.max(seen.longest, (user + system) / 1_000)
      before = process.threadCpuUsage()
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    seen.isOver = true
    await watching
  }
  return seen.longest
}
