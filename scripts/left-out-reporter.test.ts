import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'

test("a run without the acquirers' data says at its end how many tests it left out, and why", async () => {
  const files = ['twins/stripe/recorded', 'stripe/payments/recorded-answers', 'adyen/notices/read-notices']
  const env = {
    ...process.env,
    ACQUIRER_DATA: '',
    QUITTANCE_TEST_RESULTS: '',
    TEST_DATABASE_URL: inject('postgresUrl'),
  }
  const run = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...files]
  const { stdout } = await promisify(execFile)(process.execPath, run, { env })
  expect(stdout).toMatch(/\nLeft out 192 tests, which need ACQUIRER_DATA\.\n$/)
})
