import { defineConfig } from 'vitest/config'

const resultsFile = process.env['QUITTANCE_TEST_RESULTS']

/** Files that change the environment, fake timers or kill their own processes, and those of other packages. */
const ISOLATED = [
  'src/commands/**/*.test.ts',
  'src/platform/embedded-postgres/**/*.test.ts',
  'src/modules/checkout/documents/typesetter.test.ts',
  'scenarios/start.test.ts',
  'simulation/**/*.test.ts',
  'twins/**/*.test.ts',
  'scripts/**/*.test.ts',
  'sdk/test/**/*.test.ts',
  'web/console/test/**/*.test.ts',
  'cli/test/**/*.test.ts',
]

/** `npm run test:postgres15` leaves out tests that use no database or start their own and, to save time, those of acquirers. */
const VERSION_INDEPENDENT = [
  'src/modules/acquirers/**',
  'src/modules/checkout/documents/**',
  'src/platform/embedded-postgres/**',
  'src/platform/http/**',
  'src/platform/observability/**',
  'src/platform/security/**',
]

/** Node loads the sources, as it does for the service. Vite would transform each file anew for each process. */
const NATIVE = { experimental: { viteModuleRunner: false } }

const onPostgres15 = process.env['TEST_POSTGRES_VERSION'] === '15'
const LEFT_OUT = onPostgres15 ? VERSION_INDEPENDENT : []

/** Generous, because no test measures speed and the machine may be busy. */
const TIMEOUTS = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    globalSetup: ['src/platform/testing/postgres.ts'],
    reporters: resultsFile ? ['dot', ['json', { outputFile: resultsFile }]] : ['default'],
    // One more than the cores of the smallest machine, because tests also wait: for browsers, leases and processes that start.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...TIMEOUTS,
          ...NATIVE,
          name: 'shared',
          pool: 'forks',
          include: ['src/**/*.test.ts', 'scenarios/**/*.test.ts'],
          exclude: [...ISOLATED, ...LEFT_OUT],
          // Files that share a process load the sources once: a fifth of the time of all tests.
          isolate: false,
        },
      },
      {
        test: {
          ...TIMEOUTS,
          ...NATIVE,
          name: 'isolated',
          pool: 'forks',
          include: ISOLATED,
          exclude: LEFT_OUT,
        },
      },
    ],
  },
})
