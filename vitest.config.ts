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

/** Slow tests, and tests whose statements others send: crashes, races, long histories, pages. `TEST_SHORT=1` leaves them out. */
const LONG = [
  'scenarios/{bulk-actions,logs,timelines,csv,recurring,reports}.test.ts',
  'src/**/*.property.test.ts',
  'src/modules/bank-transfers/{imports/given-back-once,by-hand/by-hand,by-hand/year}.test.ts',
  'src/modules/**/slow-acquirer.test.ts',
  'src/modules/{audit-log,checkout,request-log,users}/**',
  'src/modules/billing/audit/verify.test.ts',
  'src/modules/billing/changes/{change-paid-first,coupon-changes,plan-changes,sets/races}.test.ts',
  'src/modules/billing/dunning/{attempt-outcomes,collecting,policy-attempts,record-attempts,retry-now}.test.ts',
  'src/modules/billing/invoices/{credit-notes,documents,many-documents,month-archive,one-off,verify-invoices}.test.ts',
  'src/modules/billing/lifecycle/lifecycle.test.ts',
  'src/modules/billing/peer-reports.test.ts',
  'src/modules/billing/run/tax-{billing,engine}.test.ts',
  'src/modules/businesses/authentication/**',
  'src/modules/cards/authorizations/model.test.ts',
  'src/modules/cards/decisions/concurrency.test.ts',
  'src/modules/cards/{funding/funding,limits/limits}.test.ts',
  'src/modules/payments/{charges/pay-order,follow-ups/expire-by-notice,orders/order-totals,sets/set-based}.test.ts',
  'src/modules/payments/operations/{captured-amount,record-later}.test.ts',
  'src/modules/payments/resolver/**',
  'src/modules/payments/{storage/receipt-numbers,voids/late-hold}.test.ts',
  'src/modules/plans/{changes/change-plan,lifecycle/reactivation/reactivate,plan/plan-time}.test.ts',
  'src/modules/reconciliation/run/run.test.ts',
  'src/modules/sandbox/clock/**',
  'src/modules/wallets/chain/{backlog,deposits}.test.ts',
  'src/modules/wallets/node/node-failures.test.ts',
  'src/modules/webhooks/delivery/delivery-flow.test.ts',
  'src/modules/webhooks/queue/{crash,isolation,long-history}.test.ts',
  'src/platform/admission/overload.test.ts',
  'src/platform/postgres/citus/watched-node.test.ts',
]

const onPostgres15 = process.env['TEST_POSTGRES_VERSION'] === '15'
const isShort = process.env['TEST_SHORT'] === '1'
const LEFT_OUT = [...(onPostgres15 ? VERSION_INDEPENDENT : []), ...(isShort ? LONG : [])]

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
          include: [
            '{src,scenarios,simulation,twins,scripts}/**/*.test.ts',
            '{sdk,cli,web/console}/test/**/*.test.ts',
          ],
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
