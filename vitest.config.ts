import { defineConfig } from 'vitest/config'

const resultsFile = process.env['QUITTANCE_TEST_RESULTS']

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'scenarios/**/*.test.ts',
      'simulation/**/*.test.ts',
      'twins/**/*.test.ts',
      'scripts/**/*.test.ts',
      'sdk/test/**/*.test.ts',
      'web/console/test/**/*.test.ts',
      'cli/test/**/*.test.ts',
    ],
    globalSetup: ['src/platform/testing/postgres.ts'],
    reporters: resultsFile ? ['dot', ['json', { outputFile: resultsFile }]] : ['default'],
    pool: 'forks',
    // On two cores, more workers only slow down the databases.
    maxWorkers: 2,
    // Generous, because no test measures speed and the machine may be busy.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
