import { setImmediate } from 'node:timers/promises'

/**
 * How long the work keeps the event loop from its next turn at most, in ms of this thread's CPU time: what other processes do on the
 * machine does not count.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  const watch = async () => {
    for (let before = process.threadCpuUsage(); !isOver;) {
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1_000)
      before = process.threadCpuUsage()
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return longest
}
