import { setImmediate } from 'node:timers/promises'

/**
 * Measures the longest turn of the event loop during the work, in ms of this thread's CPU time, so that other
 * processes of the machine do not count.
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
