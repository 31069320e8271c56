/** Adds up JSON reports in vitest's format, prints the failures, and ends with the line for CI: `N passed, N failed`. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'

interface Report {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}

let passed = 0
const failed: string[] = []
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    failed.push(`${basename(file)}: the report is missing, so its run did not finish`)
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  passed += report.numPassedTests
  for (const { name, status, assertionResults } of report.testResults) {
    const where = `${basename(file)}: ${relative('.', name)}`
    const failures = assertionResults.filter((test) => test.status === 'failed')
    failed.push(...failures.map(({ fullName }) => `${where}: ${fullName}`))
    if (status === 'failed' && failures.length === 0) failed.push(`${where}: the file could not be run`)
  }
}
if (passed === 0) failed.push('no test passed')
for (const failure of failed) console.log(`failed: ${failure}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)
