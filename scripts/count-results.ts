/**
 * Adds up JSON reports in vitest's format, prints the failures, and ends with the line for CI: `N passed, N failed`. Each argument is
 * `report.json=exit code` of the command that wrote it, which may have failed outside of tests: in a check, or after the last test.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

interface TestResult {
  status: string
  fullName: string
  failureMessages?: string[]
}

interface Report {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: TestResult[] }[]
}

/** How much of an error is printed: what was expected, and the frames of the test itself. */
const MAX_ERROR_LINES = 12

/** The errors of a test without frames of dependencies, indented. CI may keep nothing else of a run. */
function errorsOf({ failureMessages = [] }: TestResult): string {
  return failureMessages
    .map((message) => stripVTControlCharacters(message).split('\n'))
    .map((lines) => lines.filter((line) => line.trim() !== '' && !line.includes('node_modules')))
    .flatMap((lines) => lines.slice(0, MAX_ERROR_LINES))
    .map((line) => `\n    ${line}`)
    .join('')
}

let passed = 0
const failed: string[] = []
for (const argument of process.argv.slice(2)) {
  const [file = '', exitCode] = argument.split('=')
  const failedBefore = failed.length
  if (!existsSync(file)) {
    failed.push(`${basename(file)}: the report is missing, so its run did not finish`)
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  passed += report.numPassedTests
  for (const { name, status, assertionResults } of report.testResults) {
    const where = `${basename(file)}: ${relative('.', name)}`
    const failures = assertionResults.filter((test) => test.status === 'failed')
    failed.push(...failures.map((test) => `${where}: ${test.fullName}${errorsOf(test)}`))
    if (status === 'failed' && failures.length === 0) failed.push(`${where}: the file could not be run`)
  }
  if (exitCode !== '0' && failed.length === failedBefore) {
    failed.push(`${basename(file)}: the command ended with exit code ${exitCode}, but not for a test`)
  }
}
if (passed === 0) failed.push('no test passed')
for (const failure of failed) console.log(`failed: ${failure}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)
