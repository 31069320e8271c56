import { setTimeout as sleep } from 'node:timers/promises'
import type { AcquirerName } from './acquirers/index.ts'
import { type ExpectedOrder, readAccounts, readOrders } from './checks/accounts.ts'
import { BookingCounter } from './checks/booking-counter.ts'
import {
  checkBooks,
  checkEvents,
  checkOrders,
  checkPlans,
  checkResolved,
  type Findings,
} from './checks/check-accounts.ts'
import { chooseFaultPhases, chooseKills, type Kill, killsDatabase } from './faults/fault-schedule.ts'
import { type ExecutedKill, KillRunner } from './faults/kill-runner.ts'
import { startAutoFailoverPair } from './faults/auto-failover-pair.ts'
import { type DatabasePair, startDatabasePair } from './faults/database-pair.ts'
import { chooseFailovers, type ExecutedFailover, FailoverRunner } from './faults/failover-runner.ts'
import { Processes } from './faults/processes.ts'
import { anotherBusiness, type Layout, type ProcessGroup } from './faults/process-group.ts'
import { SplitProcesses } from './faults/split-processes.ts'
import { Random } from './random.ts'
import { Merchant } from './workload/merchant.ts'
import { Workload } from './workload/workload.ts'
import type { WorkloadSize } from './workload/workload-choices.ts'

/** Short, so that latency above this timeout does not prolong the run. */
const ACQUIRER_TIMEOUT_MS = 500
/** On the business clock. Within this time, the resolver must end every unknown outcome. */
const RESOLVED_WITHIN = Temporal.Duration.from({ hours: 2 })
/** Leaves time for the next daily attempt of an order whose last attempt failed. */
const PAID_WITHIN = Temporal.Duration.from({ hours: 24 * 3 })
const POLL_MS = 5
/** Longer than a circuit breaker of an acquirer account stays open. */
const CIRCUIT_BREAKER_MS = 6_000
const NO_FAULTS = { latency_ms: 0, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 0 }

/** Who promotes the replica: the simulation itself, or a program of Debian's. */
export const SUPERVISORS = ['simulation', 'pg_auto_failover'] as const
export type Supervisor = (typeof SUPERVISORS)[number]

interface SimulationSize extends WorkloadSize {
  readonly acquirer: AcquirerName
  readonly layout: Layout
  readonly kills: number
  /** With any, the service works on a pair of databases, and no kill hits a database. */
  readonly failovers: number
  readonly supervisor: Supervisor
  /** An empty database that runs already, such as the coordinator of Citus. */
  readonly databaseUrl?: string | undefined
  /** A shell command that crashes it. Without one, no kill hits it. */
  readonly crashDatabase?: string | undefined
}

export interface SimulationOptions extends SimulationSize {
  readonly seed: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly log: (message: string) => void
}

export interface Report {
  readonly findings: Findings
  readonly kills: readonly ExecutedKill[]
  readonly failovers: readonly ExecutedFailover[]
  readonly bookings: number
  readonly orders: number
  readonly merchant: Pick<Merchant, 'retries' | 'serverErrors' | 'resolvedAfter504'> | undefined
  readonly seconds: number
  /** The directory with databases, books and logs, which is kept when there are findings. */
  readonly keptDirectory: string | undefined
}

export function replayCommand(options: SimulationSize & { readonly seed: number }): string {
  const { acquirer, layout, seed, kills, failovers, supervisor, plans, orders, months } = options
  const { databaseUrl, crashDatabase } = options
  const database = databaseUrl === undefined ? '' : ` --database-url ${databaseUrl}`
  const crash = crashDatabase === undefined ? '' : ` --crash-database '${crashDatabase}'`
  const faults =
    failovers === 0
      ? `--kills ${kills}`
      : `--kills ${kills} --failovers ${failovers} --supervisor ${supervisor}`
  return `npm run simulate -- --acquirer ${acquirer} --processes ${layout} ${faults} --plans ${plans} --orders ${orders} --months ${months}${database}${crash} --seed ${seed}`
}

/** Runs the workload under kills and faults, lets the system recover, and checks all accounts. Reports errors as findings. */
export async function simulate(options: SimulationOptions): Promise<Report> {
  const simulation = new Simulation(options)
  return simulation.run()
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #startedAtMs = performance.now()
  readonly #abort = new AbortController()
  readonly #findings: Findings = []
  #processes: ProcessGroup | undefined
  #merchant: Merchant | undefined
  #bookingCounter: BookingCounter | undefined
  #killRunner: KillRunner | undefined
  #pair: DatabasePair | undefined
  #failoverRunner: FailoverRunner | undefined
  #orders = 0

  constructor(options: SimulationOptions) {
    this.#options = options
    const { signal } = options
    signal?.addEventListener('abort', () => this.#abort.abort(signal.reason), { once: true })
  }

  async run(): Promise<Report> {
    const deadline = setTimeout(
      () => this.#abort.abort(new Error(`the simulation did not end within ${this.#options.timeoutMs} ms`)),
      this.#options.timeoutMs,
    )
    try {
      await this.#simulate()
    } catch (error) {
      this.#reportError(error)
    } finally {
      clearTimeout(deadline)
      this.#abort.abort()
      this.#bookingCounter?.stop()
    }
    const keptDirectory = await this.#stopProcesses()
    return {
      findings: this.#findings,
      kills: this.#killRunner?.executed ?? [],
      failovers: this.#failoverRunner?.executed ?? [],
      bookings: this.#bookingCounter?.count ?? 0,
      orders: this.#orders,
      merchant: this.#merchant,
      seconds: this.#seconds(),
      keptDirectory,
    }
  }

  async #simulate(): Promise<void> {
    const { acquirer, layout, seed, log, kills, failovers, supervisor } = this.#options
    const { signal } = this.#abort
    const onUnexpectedExit = (message: string): void => this.#abort.abort(new Error(message))
    if (failovers > 0) {
      this.#pair = await (supervisor === 'simulation' ? startDatabasePair() : startAutoFailoverPair())
    }
    const databaseUrl = this.#pair?.url ?? this.#options.databaseUrl
    const { crashDatabase } = this.#options
    const options = {
      acquirer,
      acquirerTimeoutMs: ACQUIRER_TIMEOUT_MS,
      databaseUrl,
      crashDatabase,
      onUnexpectedExit,
      seed,
    }
    const processes: ProcessGroup =
      layout === 'start' ? await Processes.start(options) : await SplitProcesses.start(options)
    this.#processes = processes
    const merchant = new Merchant(await processes.sandbox(), signal)
    this.#merchant = merchant
    await processes.acquirer.connect(merchant)
    const workload = await Workload.prepare(merchant, processes.acquirer, seed, this.#options)
    log(`set up after ${this.#seconds()} s; the workload needs at least ${workload.minBookings} bookings`)
    const counter = new BookingCounter(processes.acquirer)
    this.#bookingCounter = counter
    void counter.follow()
    const chosenKills = chooseKills(seed, kills).map((kill) =>
      databaseUrl === undefined || crashDatabase !== undefined ? kill : sparingDatabase(kill),
    )
    const expected = await this.#runWithFaults(processes, workload, counter, chosenKills)
    this.#checkKillsHit()
    this.#findings.push(...(this.#failoverRunner?.findings() ?? []))
    log(
      `${counter.count} bookings, ${this.#killRunner?.executed.length} kills and ${this.#failoverRunner?.executed.length ?? 0} failovers after ${this.#seconds()} s`,
    )
    await this.#recoverAndCheck(processes, merchant, workload, expected)
  }

  async #runWithFaults(
    processes: ProcessGroup,
    workload: Workload,
    counter: BookingCounter,
    kills: readonly Kill[],
  ): Promise<ExpectedOrder[]> {
    const { signal } = this.#abort
    const progress = { isClockAtEnd: false, isDone: false }
    const workloadProgress = {
      bookings: () => counter.count,
      minBookings: workload.minBookings,
      isAdvancing: () => workload.isAdvancing,
      isDone: () => progress.isDone,
    }
    this.#killRunner = new KillRunner(processes, workloadProgress, signal)
    if (this.#pair !== undefined) {
      const probe = await anotherBusiness(processes)
      this.#failoverRunner = new FailoverRunner(this.#pair, probe, workloadProgress, signal)
    }
    const waitUntil = async (condition: () => boolean): Promise<void> => {
      while (!condition()) {
        signal.throwIfAborted()
        await sleep(POLL_MS)
      }
    }
    const waitForFailovers = (share: number): Promise<void> =>
      waitUntil(() => this.#failoverRunner?.allows(share) ?? true)
    const waitForShare = async (share: number): Promise<void> => {
      await waitUntil(() => counter.count >= share * workload.minBookings || progress.isClockAtEnd)
      await waitForFailovers(share)
    }
    const stopFaults = new AbortController()
    const working = Promise.all([
      workload.payOrders(waitForShare),
      workload.moveClock(waitForFailovers).finally(() => (progress.isClockAtEnd = true)),
    ]).finally(() => (progress.isDone = true))
    const tasks = [
      working,
      this.#killRunner.run(kills),
      this.#failOver(),
      this.#injectFaults(processes, stopFaults.signal),
    ] as const
    for (const task of tasks) task.catch((error: unknown) => this.#abort.abort(error))
    try {
      const [[expected]] = await Promise.all(tasks.slice(0, 3) as [typeof working, Promise<void>])
      return expected
    } catch (error) {
      // The caller stops all processes next, so no task may still restart one.
      await Promise.allSettled(tasks)
      throw signal.aborted ? signal.reason : error
    } finally {
      stopFaults.abort()
      await Promise.allSettled(tasks)
    }
  }

  async #failOver(): Promise<void> {
    const { seed, failovers } = this.#options
    await this.#failoverRunner?.run(chooseFailovers(seed, failovers))
  }

  async #injectFaults(processes: ProcessGroup, stopFaults: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([stopFaults, this.#abort.signal])
    for (const phase of chooseFaultPhases(
      new Random(this.#options.seed, 'fault phases'),
      ACQUIRER_TIMEOUT_MS,
    )) {
      if (stop.aborted) return
      await processes.acquirer.setFaults(phase.faults)
      await sleep(phase.durationMs, undefined, { signal: stop }).catch(() => {})
    }
  }

  /** Kills that miss the database prove nothing. Only kills of a ready service count: an earlier one may find no database. */
  #checkKillsHit(): void {
    const kills = this.#killRunner?.executed ?? []
    const aimed = kills.filter(({ kill, wasReady }) => wasReady && killsDatabase(kill.target))
    const hits = aimed.filter((kill) => kill.hitDatabase).length
    if (hits * 2 < aimed.length) {
      this.#findings.push(`only ${hits} of ${aimed.length} kills of the database hit it`)
    }
  }

  async #recoverAndCheck(
    processes: ProcessGroup,
    merchant: Merchant,
    workload: Workload,
    expectedOrders: readonly ExpectedOrder[],
  ): Promise<void> {
    const { log } = this.#options
    await processes.acquirer.setFaults(NO_FAULTS)
    // The clock moves hours in a moment, but circuit breakers close again in real time.
    await sleep(CIRCUIT_BREAKER_MS)
    const faultsEndedAt = await merchant.now()
    await workload.advanceTo(faultsEndedAt.add(RESOLVED_WITHIN))
    this.#findings.push(...checkResolved(await readOrders(merchant)))
    await workload.advanceTo(faultsEndedAt.add(PAID_WITHIN))
    const accounts = await readAccounts(merchant, processes.acquirer)
    const now = await merchant.now()
    this.#orders = accounts.orders.length
    log(
      `read ${accounts.orders.length} orders, ${accounts.events.length} events and ${accounts.books.length} lines of the books after ${this.#seconds()} s`,
    )
    this.#findings.push(
      ...checkResolved(accounts.orders),
      ...checkBooks(accounts),
      ...checkOrders(accounts.orders, expectedOrders),
      ...checkPlans(accounts, workload.expectedPlans(now)),
      ...checkEvents(accounts),
    )
    await this.#verify(processes)
  }

  async #verify(processes: ProcessGroup): Promise<void> {
    const { exitCode, stdout, stderr } = await processes.runCommand('verify', '--json')
    if (exitCode === 0) return
    this.#findings.push(
      `quittance verify exited with ${exitCode}: ${`${stdout}\n${stderr}`.trim().slice(0, 3000)}`,
    )
  }

  async #stopProcesses(): Promise<string | undefined> {
    const processes = this.#processes
    if (processes === undefined) {
      await this.#pair?.stop()
      return undefined
    }
    if (!(await processes.stopAll())) this.#findings.push('the service did not stop after SIGTERM')
    await this.#pair?.stop()
    if (this.#findings.length > 0) return processes.root
    await processes.remove()
    return undefined
  }

  #reportError(error: unknown): void {
    this.#findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    const output = this.#processes?.serviceOutput ?? ''
    if (output !== '') this.#findings.push(`the last output of the service:\n${output.slice(-4000)}`)
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#startedAtMs) / 1000)
  }
}

function sparingDatabase(kill: Kill): Kill {
  return killsDatabase(kill.target) ? { ...kill, target: 'service' } : kill
}
