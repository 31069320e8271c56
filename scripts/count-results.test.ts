import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'count-results.ts')

/** Returns what is printed for a report with these states of tests, whose command ended with `exitCode`. */
async function count(
  states: readonly string[],
  exitCode: number,
): Promise<{ lines: string[]; code: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'results-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  const passed = states.filter((status) => status === 'passed').length
  const assertionResults = states.map((status, index) => ({ status, fullName: `test ${index}` }))
  const testResults = [{ name: 'some.test.ts', status: 'passed', assertionResults }]
  await writeFile(file, JSON.stringify({ numPassedTests: passed, testResults }))
  const run = promisify(execFile)(process.execPath, [SCRIPT, `${file}=${exitCode}`])
  const { stdout, code } = await run.then(
    (result) => ({ ...result, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  )
  return { lines: stdout.trim().split('\n'), code }
}

test('reports whose commands succeeded are added up', async () => {
  expect(await count(['passed', 'passed', 'skipped'], 0)).toEqual({ lines: ['2 passed, 0 failed'], code: 0 })
})

test('a command that failed outside of its tests is a failure', async () => {
  const { lines, code } = await count(['passed'], 1)
  expect(lines).toEqual([
    'failed: report.json: the command ended with exit code 1, but not for a test',
    '1 passed, 1 failed',
  ])
  expect(code).toBe(1)
})

test('a test that failed is counted once, although its command failed, too', async () => {
  const { lines, code } = await count(['passed', 'failed'], 1)
  expect(lines).toEqual(['failed: report.json: some.test.ts: test 1', '1 passed, 1 failed'])
  expect(code).toBe(1)
})
