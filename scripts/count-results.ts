/**
 * Adds up JSON reports in vitest's format, prints the failures, and ends with the line for CI: `N passed, N failed`. Each argument is
 * `report.json=exit code` of the command that wrote it, which may have failed outside of tests: in a check, or after the last test.
 * Beside it, `report-again.json` is of a second run of the failed files that succeeded. A test that passed there is named, and counts as
 * passed.
 */
import { existsSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Failure, failuresOf, readReport, type Report } from './test-report.ts'

/** How much of an error is printed: what was expected, and the frames of the test itself. */
const MAX_ERROR_LINES = 12

/** The errors of a test without frames of dependencies, indented. CI may keep nothing else of a run. */
function errorsOf({ test }: Failure): string {
  return (test?.failureMessages ?? [])
    .map((message) => stripVTControlCharacters(message).split('\n'))
    .map((lines) => lines.filter((line) => line.trim() !== '' && !line.includes('node_modules')))
    .flatMap((lines) => lines.slice(0, MAX_ERROR_LINES))
    .map((line) => `\n    ${line}`)
    .join('')
}

const idOf = ({ file, test }: Failure) => `${file}: ${test?.fullName ?? 'the file could not be run'}`

/** The ids that failures of a first run would have, of what passed in a second. */
function passesOf({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name)
    const tests = assertionResults.filter((test) => test.status === 'passed').map((test) => ({ file, test }))
    return [...(status === 'passed' ? [{ file }] : []), ...tests].map(idOf)
  })
}

let passed = 0
const failed: string[] = []
for (const argument of process.argv.slice(2)) {
  const [path = '', exitCode] = argument.split('=')
  const name = basename(path)
  if (!existsSync(path)) {
    failed.push(`${name}: the report is missing, so its run did not finish`)
    continue
  }
  const report = readReport(path)
  const failures = failuresOf(report)
  const again = path.replace(/\.json$/, '-again.json')
  const passedAgain = existsSync(again) ? passesOf(readReport(again)) : []
  passed += report.numPassedTests
  for (const failure of failures) {
    const line = `${name}: ${idOf(failure)}${errorsOf(failure)}`
    if (passedAgain.includes(idOf(failure))) {
      passed += 1
      console.log(`failed beside other tests, passed alone: ${line}`)
    } else failed.push(line)
  }
  if (exitCode !== '0' && failures.length === 0) {
    failed.push(`${name}: the command ended with exit code ${exitCode}, but not for a test`)
  }
}
if (passed === 0) failed.push('no test passed')
for (const failure of failed) console.log(`failed: ${failure}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)
