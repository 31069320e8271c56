import { expect } from 'vitest'

const TIMES_LONGER = 16
/** Linear work takes more than sixteen times as long, because garbage is collected in the longer run only. The square would be 256. */
const MAX_RATIO = 128
/**
 * Under this, the time is taken for noise whatever its ratio is: some machines count processor time in steps of 10 ms, and one garbage
 * collection takes tens of milliseconds. Work that grows with the square of the length needs seconds for the longer text.
 */
const UNNOTICED_MS = 300
const MAX_ATTEMPTS = 5

/**
 * Expects that work on sixteen times the length takes about sixteen times as long. It compares processor time, which other
 * processes do not lengthen, and measures again before it fails.
 */
export function expectLinearTime(name: string, work: (length: number) => void, length = 4_096): void {
  let shorter = Infinity
  let longer = Infinity
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    shorter = Math.min(
      shorter,
      processorTimeMs(() => work(length)),
    )
    longer = Math.min(
      longer,
      processorTimeMs(() => work(TIMES_LONGER * length)),
    )
    if (longer < UNNOTICED_MS || longer < MAX_RATIO * shorter) return
  }
  expect.fail(
    `${name}: ${shorter} ms for ${length} characters, and ${longer} ms for ${TIMES_LONGER} times as many`,
  )
}

function processorTimeMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
