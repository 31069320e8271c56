import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * Runs `work` after the current test, or after all tests of the file when none is running. Vitest ignores an `afterAll` inside
 * a test, and what is left running disturbs the files that follow in the same process.
 */
export function cleanUp(work: () => unknown): void {
  const register = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished
  register(async () => void (await work()))
}
