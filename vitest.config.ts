import { defineConfig } from 'vitest/config'

/** Where CI wants the results as JSON, to add them up. */
const resultsFile = process.env['QUITTANCE_TEST_RESULTS']

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'scenarios/**/*.test.ts',
      'simulation/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['src/platform/testing/postgres.ts'],
    reporters: resultsFile ? ['dot', ['json', { outputFile: resultsFile }]] : ['default'],
    pool: 'forks',
    // Two cores: more files at once only make the databases slower.
    maxWorkers: 2,
    // No test is about speed: a loaded machine gets the time it needs.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
