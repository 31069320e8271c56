import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'count-results.ts')
const FAILED_FILES = join(import.meta.dirname, 'failed-files.ts')

async function folderOf(reports: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'results-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(reports)) await writeFile(join(folder, name), text)
  return folder
}

/** A report of these files, with the states of their tests. */
function reportOf(files: Record<string, readonly string[]>): string {
  const testResults = Object.entries(files).map(([name, states]) => ({
    name,
    status: states.includes('failed') ? 'failed' : 'passed',
    assertionResults: states.map((status, index) => ({ status, fullName: `test ${index}` })),
  }))
  const numPassedTests = Object.values(files)
    .flat()
    .filter((status) => status === 'passed').length
  return JSON.stringify({ numPassedTests, testResults })
}

/** Returns what is printed for a report with these states of tests, whose command ended with `exitCode`, and for a second run. */
async function count(
  states: readonly string[],
  exitCode: number,
  statesAgain?: readonly string[],
): Promise<{ lines: string[]; code: number }> {
  const folder = await folderOf({
    'report.json': reportOf({ 'some.test.ts': states }),
    ...(statesAgain && { 'report-again.json': reportOf({ 'some.test.ts': statesAgain }) }),
  })
  const run = promisify(execFile)(process.execPath, [SCRIPT, `${join(folder, 'report.json')}=${exitCode}`])
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

test('a test that passed alone is named, and counts as passed; another failure stays one', async () => {
  expect(await count(['passed', 'failed'], 1, ['passed', 'passed'])).toEqual({
    lines: [
      'failed beside other tests, passed alone: report.json: some.test.ts: test 1',
      '2 passed, 0 failed',
    ],
    code: 0,
  })
  const { lines, code } = await count(['failed', 'failed'], 1, ['passed', 'skipped'])
  expect(lines).toEqual([
    'failed beside other tests, passed alone: report.json: some.test.ts: test 0',
    'failed: report.json: some.test.ts: test 1',
    '1 passed, 1 failed',
  ])
  expect(code).toBe(1)
})

test.each([
  [{ 'a.test.ts': ['passed', 'failed', 'failed'], 'b.test.ts': ['passed'] }, ['a.test.ts']],
  [{ 'a.test.ts': ['failed'], 'simulation/b.test.ts': ['failed'] }, []],
  [
    { 'a.test.ts': ['failed'], 'b.test.ts': ['failed'], 'c.test.ts': ['failed'], 'd.test.ts': ['failed'] },
    [],
  ],
])('of the failures in %j these files run once more: %j', async (files, expected) => {
  const folder = await folderOf({ 'report.json': reportOf(files) })
  const { stdout } = await promisify(execFile)(process.execPath, [FAILED_FILES, join(folder, 'report.json')])
  expect(stdout.split('\n').filter((line) => line !== '')).toEqual(expected)
})
