/** Adds up JSON reports in vitest's form into the line that CI ends with: `N passed, N failed`. */
import { existsSync, readFileSync } from 'node:fs'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

let passed = 0
let failed = 0
for (const file of process.argv.slice(2)) {
  // Whoever was to write it did not come to an end.
  if (!existsSync(file)) {
    failed++
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  passed += report.numPassedTests
  failed += report.numFailedTests
  // A file that could not even be loaded has no test that failed.
  failed += report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  ).length
}
if (process.argv.length <= 2 || passed === 0) failed++
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
