import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { runToEnd } from '../../scenarios/harness/command-line.ts'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from '../../scenarios/harness/service.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { type AcquirerName, createAcquirer, type SimulatedAcquirer } from '../acquirers/index.ts'
import { type Accounts, readAccounts, readDocuments, readOrders } from '../system/checks/accounts.ts'
import type { ApiOrder } from '../acquirers/api-order.ts'
import { checkBooks, checkEvents, checkResolved, type Findings } from '../system/checks/check-accounts.ts'
import { checkPlans } from '../system/checks/check-plans.ts'
import { act } from '../system/actors/act.ts'
import { Business } from '../system/actors/business.ts'
import { expectedPlan } from '../system/model/plan-model.ts'
import { Random } from '../random.ts'
import type { ActorRound } from '../system/plan/plan.ts'
import { NO_FAULTS } from '../acquirers/faults.ts'
import { drawInvoices } from '../system/plan/draw-invoices.ts'
import { drawOrders } from '../system/plan/draw-orders.ts'
import { drawLoadPlans } from '../system/plan/draw-load.ts'
import { BILLING } from '../system/actors/offers.ts'
import { ArchivedPostgres } from './archived-postgres.ts'
import { checkNumbers, type NumberGap } from './check-numbers.ts'

export interface RecoveryOptions {
  readonly acquirer: AcquirerName
  readonly seed: number
  readonly plans: number
  readonly orders: number
  readonly log: (message: string) => void
}

interface PrintedRecovery {
  readonly unknown_bookings: readonly {
    readonly kind: string
    readonly key: string
    readonly reference: string
    readonly is_renewal: boolean
  }[]
  readonly not_compared: readonly string[]
}

const MONTHS = 6
const SPREAD_MS = 1_000
/** Slow enough for payments to be under way at the point in time that is recovered. */
const LATENCY = { latency_ms: 120, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 1 }

/**
 * Loses the primary under load, recovers to a point in time before the last billing, and checks that what was charged after that
 * point is found and not charged again.
 */
export async function recover(options: RecoveryOptions): Promise<Findings> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-recovery-')))
  await chmod(root, 0o755)
  const acquirer = createAcquirer(options.acquirer, join(root, 'acquirer'))
  const postgres = await ArchivedPostgres.start(join(root, 'postgres'))
  const recovery = new Recovery(options, acquirer, postgres, root)
  let findings: Findings = []
  try {
    await acquirer.start()
    findings = await recovery.run()
  } catch (error) {
    findings = [
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      recovery.output().slice(-4000),
    ]
  } finally {
    await recovery.stopService()
    await acquirer.kill().catch(() => {})
    await postgres.stop()
  }
  if (findings.length === 0) await rm(root, { recursive: true })
  else options.log(`the files are in ${root}`)
  return findings
}

class Recovery {
  readonly #options: RecoveryOptions
  readonly #acquirer: SimulatedAcquirer
  readonly #postgres: ArchivedPostgres
  readonly #root: string
  readonly #keys = randomBytes(32).toString('base64')
  readonly #abort = new AbortController()
  #port = 0
  #service: ChildProcess | undefined
  output: () => string = () => ''

  constructor(
    options: RecoveryOptions,
    acquirer: SimulatedAcquirer,
    postgres: ArchivedPostgres,
    root: string,
  ) {
    this.#options = options
    this.#acquirer = acquirer
    this.#postgres = postgres
    this.#root = root
  }

  async run(): Promise<Findings> {
    const { seed, log } = this.#options
    this.#port = await freePort()
    await this.#startService()
    const sandbox = await this.#sandbox()
    const business = await Business.open({
      index: 0,
      sandbox,
      acquirer: this.#acquirer,
      signal: this.#abort.signal,
    })
    const { merchant } = business
    const plans = drawLoadPlans(new Random(seed, 'plans'), { plans: this.#options.plans, months: MONTHS })
    await this.#act(business, { kind: 'plans', business: 0, actions: plans }, async () => {})
    const billedUntil = (period: number) => lastDue(business, period).add({ hours: 1 })

    await business.advanceTo(billedUntil(0))
    await this.#acquirer.setFaults(LATENCY)
    const progress = { released: 0 }
    const scene = { orders: this.#options.orders, roundMs: SPREAD_MS }
    const orders = drawOrders(new Random(seed, 'orders'), 'o', scene)
    const invoices = drawInvoices(new Random(seed, 'invoices'), 'o', scene)
    const reach = async (atMs: number): Promise<void> => {
      while (atMs > progress.released * SPREAD_MS) await sleep(10)
    }
    const paying = Promise.all([
      this.#act(business, { kind: 'orders', business: 0, actions: orders }, reach),
      this.#act(business, { kind: 'invoices', business: 0, actions: invoices }, reach),
    ])
    paying.catch(() => {})
    progress.released = 0.3
    log('backing up under load')
    await this.#postgres.backup()
    progress.released = 0.6
    await sleep(1_500)
    const [point] = await this.#postgres.query<{ at: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
    )
    const since = point?.at ?? ''
    progress.released = 1
    await paying
    await this.#acquirer.setFaults(NO_FAULTS)
    await business.advanceTo(billedUntil(1))
    const lost = await readOrders(merchant)
    const lostDocuments = await readDocuments(merchant)
    await this.#postgres.archiveAll()

    log(`destroying the primary; recovering to ${since}`)
    await this.stopService('SIGKILL')
    await this.#postgres.destroy()
    await this.#postgres.recover(since.replace('T', ' ').replace('Z', '+00'))
    const found = await this.#recovered(since)
    log(`${found.unknown_bookings.length} bookings are unknown after the recovery: ${summary(found)}`)
    await this.#acquirer.forgetKeys()

    await this.#startService()
    const returned = await readOrders(merchant)
    const returnedDocuments = await readDocuments(merchant)
    const more = drawInvoices(new Random(seed, 'more invoices'), 'n', scene)
    await this.#act(business, { kind: 'invoices', business: 0, actions: more }, async () => {})
    await business.advanceTo(billedUntil(1))
    await business.advanceTo(billedUntil(1).add({ hours: 72 }))
    await business.advanceTo(billedUntil(2))
    await business.advanceTo(billedUntil(2).add({ hours: 72 }))
    const read = await readAccounts(merchant, this.#acquirer)
    // The lines of Adyen are distinguished by the type of their transaction, which was known in the lost period.
    const accounts = { ...read, books: await this.#acquirer.books([...lost, ...read.orders]) }
    const documents = { lost: lostDocuments, returned: returnedDocuments, issued: read.documents }
    const gaps = await gapsOf(business)
    log(`${lostDocuments.length} documents were lost or recovered, and ${gaps.length} gaps are named`)
    const left = await this.#recovered(since)
    const now = await merchant.now()
    log(`${left.unknown_bookings.length} are unknown once the plans were billed: ${summary(left)}`)
    return [
      ...business.findings,
      ...this.#checkRepeated(
        [...lost, ...accounts.orders].filter((order) => isOfPlan(business, order)),
        accounts.books,
        newlyBooked(
          lost.filter((order) => isOfPlan(business, order)),
          returned,
        ),
      ),
      ...checkResolved(accounts.orders),
      ...checkPlans(
        accounts,
        business.plans.map((plan) => expectedPlan(plan, now)),
        business.offers.couponIds,
      ),
      ...checkEvents(accounts),
      ...this.#checkUnknown(business, lost, accounts, left),
      ...checkNumbers(documents, gaps),
      ...(await this.#verify(left, gaps)),
    ]
  }

  async #act(business: Business, actor: ActorRound, reach: (atMs: number) => Promise<void>): Promise<void> {
    await Promise.all(act({ actors: [actor], faults: [], chain: [] }, [business], { number: 0, reach }))
  }

  /** Checks that every order of a plan was charged once at the acquirer, over the lost time and the new one. */
  #checkRepeated(orders: readonly ApiOrder[], books: Accounts['books'], lostRenewals: number): Findings {
    const approved = new Set(books.filter(({ outcome }) => outcome === 'approved').map(({ key }) => key))
    const keys = new Map<string, Set<string>>()
    for (const order of orders) {
      for (const { uuid, type } of order.transactions) {
        if (type !== 'Sales' || !approved.has(uuid)) continue
        keys.set(order.reference_number, (keys.get(order.reference_number) ?? new Set()).add(uuid))
      }
    }
    const findings: Findings = []
    for (const [reference, charged] of keys) {
      if (charged.size > 1)
        findings.push(`${reference} was charged ${charged.size} times: ${[...charged].join(', ')}`)
    }
    if (lostRenewals < this.#options.plans / 2) {
      findings.push(
        `only ${lostRenewals} renewals were charged after the point in time, so the test shows nothing`,
      )
    }
    this.#options.log(
      `${keys.size} orders of plans were charged once; ${lostRenewals} of them after the point in time`,
    )
    return findings
  }

  /** Checks that only lost changes of merchants to orders stay unknown, and nothing of a plan. */
  #checkUnknown(
    business: Business,
    lost: readonly ApiOrder[],
    accounts: Accounts,
    left: PrintedRecovery,
  ): Findings {
    // The charge of a lost invoice is marked, too, and nothing makes that invoice again.
    const ofInvoices = new Set(
      lost
        .filter((order) => !isOfPlan(business, order))
        .flatMap((order) => order.transactions.map(({ uuid }) => uuid)),
    )
    const lostIds = new Set(lost.flatMap((order) => order.transactions.map(({ uuid }) => uuid)))
    const listed = new Set(left.unknown_bookings.map(({ key }) => key))
    const changed = changedAfterwards(lost, accounts.orders)
    const listsNothing = this.#options.acquirer === 'adyen'
    // A declined booking and a hold that was voided again move no money, and need not be listed.
    const books = accounts.books.filter(({ outcome }) => outcome === 'approved')
    const voided = new Set(
      books.flatMap(({ operation, original_key: original }) => (operation === 'void' ? [original] : [])),
    )
    const findings = checkBooks({ ...accounts, books }).filter((finding) => {
      const [, operation, key] = /^the books have (\w+) (.+), which belongs to no order$/.exec(finding) ?? []
      if (key === undefined) return !changed.has(finding.split(':')[0] ?? '')
      const isFollowUp = operation === 'void' || operation === 'capture'
      if (isFollowUp || (operation === 'authorization' && voided.has(key))) return false
      return !lostIds.has(key) || !(listsNothing || listed.has(key))
    })
    for (const { kind, key, reference, is_renewal: isRenewal } of left.unknown_bookings) {
      if (isRenewal && !ofInvoices.has(key)) findings.push(`the renewal ${key} is still unknown`)
      if (!lostIds.has(kind === 'void' ? reference : key)) findings.push(`${key} is listed and was not lost`)
    }
    if (listsNothing && left.not_compared.length === 0)
      findings.push('Adyen was not named as one that lists nothing')
    return findings
  }

  async #verify(left: PrintedRecovery, gaps: readonly NumberGap[]): Promise<Findings> {
    const { stdout } = await runToEnd(this.#env, ['verify', '--json'])
    const { breaches, gaps: named = [] } = JSON.parse(stdout) as {
      breaches: { rule: string; object: string; detail: string }[]
      gaps?: NumberGap[]
    }
    const listed = new Set(left.unknown_bookings.map(({ key }) => key))
    const voids = new Set(
      left.unknown_bookings.flatMap(({ kind, reference }) => (kind === 'void' ? [reference] : [])),
    )
    const unexplained = breaches.filter(
      ({ object, detail }) =>
        !listed.has(object) && !(voids.has(object) && detail.endsWith('but voided in the books')),
    )
    this.#options.log(
      `verify names ${breaches.length} differences, all of them listed: ${unexplained.length === 0}`,
    )
    const unnamed = gaps.filter((gap) => !named.some((other) => contains(other, gap)))
    return [
      ...unexplained.map((breach) => `verify: ${JSON.stringify(breach)}`),
      ...unnamed.map((gap) => `verify does not name the gap ${JSON.stringify(gap)}`),
    ]
  }

  async #recovered(since: string): Promise<PrintedRecovery> {
    const { exitCode, stdout, stderr } = await runToEnd(this.#env, ['recovered', '--since', since, '--json'])
    if (exitCode !== 0) throw new Error(`recovered exited with ${exitCode}: ${stderr}${stdout}`)
    return JSON.parse(stdout) as PrintedRecovery
  }

  async #startService(): Promise<void> {
    const child = spawnProgram('src/main.js', ['start'], this.#env)
    this.#service = child
    this.output = collectOutput(child)
    await waitUntilReady(`http://127.0.0.1:${this.#port}/readyz`, child, this.output)
  }

  async stopService(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#service !== undefined) await stopProcess(this.#service, signal)
  }

  async #sandbox(): Promise<SandboxFile> {
    return JSON.parse(await readFile(join(this.#root, 'service', 'sandbox.json'), 'utf8')) as SandboxFile
  }

  get #env(): Record<string, string> {
    return {
      DATA_DIR: join(this.#root, 'service'),
      DATABASE_URL: this.#postgres.url,
      ENCRYPTION_KEYS: this.#keys,
      PORT: String(this.#port),
      ...this.#acquirer.env(),
      ALLOW_PRIVATE_WEBHOOKS: '1',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    }
  }
}

async function gapsOf({ merchant, offers }: Business): Promise<NumberGap[]> {
  const { legal_entity: entity } = await merchant.ok('GET', `${BILLING}/legal_entities/${offers.entityId}`)
  const series = entity.series as { key: string; gaps?: Omit<NumberGap, 'series'>[] }[]
  return series.flatMap(({ key, gaps = [] }) => gaps.map((gap) => ({ ...gap, series: key })))
}

/** The command may have skipped more numbers since. */
function contains(outer: NumberGap, { series, type, year, from, to }: NumberGap): boolean {
  const isSame = outer.series === series && outer.type === type && outer.year === year
  return isSame && outer.from <= from && outer.to >= to
}

function lastDue({ plans }: Business, period: number): Temporal.Instant {
  const far = Temporal.Now.instant().add({ hours: 24 * 365 })
  const due = plans.flatMap((plan) => expectedPlan(plan, far).periods[period]?.dueAt ?? [])
  const last = due.toSorted((a, b) => Temporal.Instant.compare(a, b)).at(-1)
  if (last === undefined) throw new Error(`no plan has a period ${period}`)
  return last
}

function isOfPlan({ plans }: Business, { reference_number: reference }: ApiOrder): boolean {
  return plans.some(({ life }) => reference.startsWith(`${life.name}-`))
}

/** Returns the numbers of orders that merchants changed in the lost time, without a trace afterwards. */
function changedAfterwards(lost: readonly ApiOrder[], orders: readonly ApiOrder[]): Set<string> {
  const statesOf = ({ transactions }: ApiOrder) =>
    JSON.stringify(transactions.map(({ uuid, payment_data: data }) => [uuid, data.transaction_state]))
  const after = new Map(orders.map((order) => [order.number, statesOf(order)]))
  return new Set(
    lost.filter((order) => after.get(order.number) !== statesOf(order)).map(({ number }) => number),
  )
}

/** Counts the orders that were paid and are not in the recovered database. */
function newlyBooked(lost: readonly ApiOrder[], returned: readonly ApiOrder[]): number {
  const known = new Set(returned.map((order) => order.reference_number))
  return lost.filter((order) => order.state === 'completed' && !known.has(order.reference_number)).length
}

function summary({ unknown_bookings: bookings }: PrintedRecovery): string {
  return `${bookings.filter(({ is_renewal }) => is_renewal).length} renewals`
}
