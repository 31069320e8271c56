import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LeftOutReporter } from './scripts/left-out-reporter.ts'

/** For every process that a test starts, too: the twin of Stripe starts in half the time. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url))

const resultsFile = process.env['QUITTANCE_TEST_RESULTS']
const leftOut = new LeftOutReporter()

/** `vi.mock` replaces a module only in a process that has not loaded it. All other files put back what they change. */
const ISOLATED = ['src/platform/documents/typesetter.test.ts']

/** `npm run test:postgres15` leaves out tests that use no database or start their own and, to save time, those of acquirers. */
const VERSION_INDEPENDENT = [
  'src/modules/acquirers/**',
  'src/modules/bank-transfers/{matching,statements}/**',
  'src/modules/checkout/documents/**',
  'src/modules/guide/**',
  'src/modules/invoices/documents/**',
  'src/modules/messages/rendering/**',
  'src/modules/plans/{changes/decide-plan-change,dunning/dunning}.test.ts',
  'src/modules/taxes/{assessment/assess-taxes,rates/rates-together}.test.ts',
  'src/modules/wallets/node/node{,-responses}.test.ts',
  'src/modules/webhooks/delivery/{endpoint-limiter,message-schemas}.test.ts',
  'src/platform/documents/**',
  'src/platform/embedded-postgres/**',
  'src/platform/filter/filter.test.ts',
  'src/platform/http/**',
  'src/platform/mail/**',
  'src/platform/observability/**',
  'src/platform/security/**',
]

/** Node loads the sources, as it does for the service. Vite would transform each file anew for each process. */
const NATIVE = { experimental: { viteModuleRunner: false } }

/**
 * What `npm run test:postgres15:short` runs: the database's own layer, one flow of each module, and a service. That 15 accepts the
 * other statements `oldest-version.test.ts` shows (docs/decisions/0125-statements-are-planned-on-postgresql-15.md).
 */
const FLOWS = [
  'src/platform/{events,idempotency,jobs,postgres,processes}/**/*.test.ts',
  'src/platform/filter/filter-sql.test.ts',
  'src/modules/audit-log/entries/chain.test.ts',
  'src/modules/bank-transfers/imports/booking.test.ts',
  'src/modules/billing/{changes/sets/change-plans,invoices/invoices,invoices/invoice-reports,run/billing}.test.ts',
  'src/modules/businesses/keys/own-keys.test.ts',
  'src/modules/cards/authorizations/authorizing.test.ts',
  'src/modules/catalogue/coupons/coupons.test.ts',
  'src/modules/customers/api/customers.test.ts',
  'src/modules/disputes/audit/verify.test.ts',
  'src/modules/payments/{voids/void,follow-ups/capture-refund}.test.ts',
  'src/modules/personal-data/erasing/erasure.test.ts',
  'src/modules/plans/plan/plan-names.test.ts',
  'src/modules/reconciliation/run/differences.test.ts',
  'src/modules/reports/daily/daily.test.ts',
  'src/modules/request-log/**/*.test.ts',
  'src/modules/sandbox/audit/verify.test.ts',
  'src/modules/search/**/*.test.ts',
  'src/modules/taxes/rates/tax-rates.test.ts',
  'src/modules/users/sessions/sessions.test.ts',
  'src/modules/wallets/chain/reorg.test.ts',
  'src/modules/webhooks/queue/{dispatcher,locks}.test.ts',
  'scenarios/payments.test.ts',
]

const ALL = [
  '{src,scenarios,simulation,twins,scripts}/**/*.test.ts',
  '{sdk,cli,web/console}/test/**/*.test.ts',
]

const isShort = process.env['TEST_SHORT'] === '1'
const missing = isShort ? FLOWS.filter((path) => globSync(path).length === 0) : []
if (missing.length > 0) throw new Error(`No test file is named ${missing.join(', ')}`)

const onPostgres15 = process.env['TEST_POSTGRES_VERSION'] === '15'
const LEFT_OUT = onPostgres15 ? VERSION_INDEPENDENT : []

/** Short files with long tests. Vitest starts the biggest files first, and one of these would be the last, alone. */
const STARTED_FIRST = [
  'scenarios/image/',
  'scenarios/start.test.ts',
  'scenarios/disk-full.test.ts',
  'scenarios/console/',
  'simulation/system/',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => STARTED_FIRST.some((path) => moduleId.includes(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

/**
 * The simulation starts dozens of processes, and beside browsers it exceeds its time limit. It often waits for them, so two
 * processes run tests of modules beside it, which start no services and take about as long.
 */
const SIMULATION = ['simulation/system/system.test.ts']
const BESIDE_SIMULATION = onPostgres15 ? [] : ['src/modules/{billing,payments}/**/*.test.ts']

/** Costs are what a service writes and allocates, to which its timers add on a busy machine. */
const ALONE = ['scenarios/costs/costs.test.ts']

/** Generous, because no test measures speed and the machine may be busy. */
const TIMEOUTS = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    globalSetup: ['src/platform/testing/postgres.ts', 'scenarios/harness/unpacked-browser.ts'],
    reporters: resultsFile ? ['dot', ['json', { outputFile: resultsFile }], leftOut] : ['default', leftOut],
    // More than the two cores of the smallest machine, because tests also wait: with four a quarter of its time was idle.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...TIMEOUTS,
          ...NATIVE,
          name: 'shared',
          pool: 'forks',
          include: isShort ? FLOWS : ALL,
          exclude: [...ISOLATED, ...SIMULATION, ...BESIDE_SIMULATION, ...ALONE, ...LEFT_OUT],
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
      {
        test: {
          ...TIMEOUTS,
          ...NATIVE,
          name: 'simulation',
          pool: 'forks',
          include: [...SIMULATION, ...BESIDE_SIMULATION],
          exclude: LEFT_OUT,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...TIMEOUTS,
          ...NATIVE,
          name: 'alone',
          pool: 'forks',
          include: ALONE,
          exclude: LEFT_OUT,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
