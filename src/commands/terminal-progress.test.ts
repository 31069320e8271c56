import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress } from './terminal-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function shownOn(isTTY: boolean): string[] {
  const written: string[] = []
  const progress = showProgress({ isTTY, write: (text) => written.push(text) })
  progress.report('Checking tenant 1 of 2')
  vi.advanceTimersByTime(1_000)
  progress.report('Checking tenant 2 of 2')
  vi.advanceTimersByTime(1_000)
  progress.end()
  vi.advanceTimersByTime(5_000)
  return written
}

test('a terminal shows the current step of a long command once a second on one line, which is erased at the end', () => {
  const erase = '\r\u001B[K'
  expect(shownOn(true)).toEqual([
    `${erase}Checking tenant 1 of 2 (1 s)`,
    `${erase}Checking tenant 2 of 2 (2 s)`,
    erase,
  ])
})

test('nothing is written unless the output is a terminal', () => {
  expect(shownOn(false)).toEqual([])
})
