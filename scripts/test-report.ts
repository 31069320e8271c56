/** The parts of a JSON report in vitest's format that CI reads. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface TestResult {
  status: string
  fullName: string
  failureMessages?: string[]
}

export interface Report {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: TestResult[] }[]
}

/** A test that failed, or without `test` a file that could not be run. */
export interface Failure {
  file: string
  test?: TestResult
}

export function readReport(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8')) as Report
}

export function failuresOf(report: Report): Failure[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name)
    const tests = assertionResults.filter((test) => test.status === 'failed')
    return status === 'failed' && tests.length === 0 ? [{ file }] : tests.map((test) => ({ file, test }))
  })
}
