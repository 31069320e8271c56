import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpectedOrder, readAccounts, readOrders } from './accounts.ts'
import { BookingCount } from './bookings.ts'
import {
  checkBooks,
  checkEvents,
  checkOrders,
  checkPlans,
  checkResolved,
  type Findings,
} from './check-accounts.ts'
import { chooseKills, chooseWeather, killsDatabase, type Size } from './choices.ts'
import { Killer, type Struck } from './killer.ts'
import { Load } from './load.ts'
import { Merchant } from './merchant.ts'
import { Processes } from './processes.ts'

/** How long the service waits for the simulator. Short, so that latency above it does not make the run long. */
const ACQUIRER_TIMEOUT_MS = 500
/** Within which everything unresolved must have been resolved, on the business's clock. */
const RESOLVED_AFTER = Temporal.Duration.from({ hours: 2 })
/** Then the attempts of orders whose last one was lost have come. */
const ALL_PAID_AFTER = Temporal.Duration.from({ hours: 24 * 3 })
const LOOK_EVERY_MS = 5
const NO_FAULTS = { latency_ms: 0, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 0 }

export interface SimulationOptions extends Size {
  readonly seed: number
  /** After which the run is given up and counts as failed. */
  readonly longestMs: number
  /** Gives the run up. */
  readonly signal?: AbortSignal
  /** Told what is going on, a sentence at a time. */
  readonly tell: (message: string) => void
}

export interface Report {
  /** What does not hold; empty when all is well. */
  readonly findings: Findings
  readonly struck: readonly Struck[]
  readonly bookings: number
  readonly orders: number
  readonly merchant: Pick<Merchant, 'again' | 'serverErrors' | 'resolvedLater'> | undefined
  readonly seconds: number
  /** Where everything was left, when something does not hold. */
  readonly kept: string | undefined
}

/** The command that makes the same choices again. */
export function replayCommand(options: Size & { readonly seed: number }): string {
  const { seed, kills, plans, orders, months } = options
  return `npm run simulate -- --kills ${kills} --plans ${plans} --orders ${orders} --months ${months} --seed ${seed}`
}

/**
 * Lets plans bill and orders be paid while processes are killed and the acquirer misbehaves, then lets everything recover
 * and compares all accounts. Never throws for what it is there to find.
 */
export async function simulate(options: SimulationOptions): Promise<Report> {
  const simulation = new Simulation(options)
  return simulation.run()
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #startedAtMs = performance.now()
  readonly #abort = new AbortController()
  readonly #findings: Findings = []
  #processes: Processes | undefined
  #merchant: Merchant | undefined
  #count: BookingCount | undefined
  #killer: Killer | undefined
  #orders = 0

  constructor(options: SimulationOptions) {
    this.#options = options
    const { signal } = options
    signal?.addEventListener('abort', () => this.#abort.abort(signal.reason), { once: true })
  }

  async run(): Promise<Report> {
    const deadline = setTimeout(
      () => this.#abort.abort(new Error('the simulation takes too long')),
      this.#options.longestMs,
    )
    try {
      await this.#simulate()
    } catch (error) {
      this.#found(error)
    } finally {
      clearTimeout(deadline)
      this.#abort.abort()
      this.#count?.stop()
    }
    const kept = await this.#endProcesses()
    return {
      findings: this.#findings,
      struck: this.#killer?.struck ?? [],
      bookings: this.#count?.count ?? 0,
      orders: this.#orders,
      merchant: this.#merchant,
      seconds: Math.round((performance.now() - this.#startedAtMs) / 1000),
      kept,
    }
  }

  async #simulate(): Promise<void> {
    const { seed, tell, kills } = this.#options
    const { signal } = this.#abort
    const onDeath = (what: string): void => this.#abort.abort(new Error(what))
    const processes = await Processes.start(ACQUIRER_TIMEOUT_MS, onDeath)
    this.#processes = processes
    const merchant = new Merchant(await processes.sandbox(), signal)
    this.#merchant = merchant
    const load = await Load.prepare(merchant, seed, this.#options)
    tell(`set up after ${this.#seconds()} s; ${load.sureBookings} bookings are needed`)
    const count = new BookingCount(processes.simulatorDir)
    this.#count = count
    void count.follow()
    const expected = await this.#underFire(processes, load, count, chooseKills(seed, kills))
    this.#checkStruck()
    tell(`${count.count} bookings and ${this.#killer?.struck.length} kills after ${this.#seconds()} s`)
    await this.#settle(processes, merchant, load, expected)
  }

  /** The load, the kills and the weather at the same time, until the load and the kills are done. */
  async #underFire(
    processes: Processes,
    load: Load,
    count: BookingCount,
    kills: ReturnType<typeof chooseKills>,
  ): Promise<ExpectedOrder[]> {
    const { signal } = this.#abort
    const progress = { isWalked: false, isDone: false }
    this.#killer = new Killer(
      processes,
      {
        bookings: () => count.count,
        sureBookings: load.sureBookings,
        isAdvancing: () => load.isAdvancing,
        isDone: () => progress.isDone,
      },
      signal,
    )
    const reached = async (share: number): Promise<void> => {
      while (count.count < share * load.sureBookings && !progress.isWalked) {
        signal.throwIfAborted()
        await sleep(LOOK_EVERY_MS)
      }
    }
    const fair = new AbortController()
    const loading = Promise.all([
      load.payOrders(reached),
      load.walk().finally(() => (progress.isWalked = true)),
    ]).finally(() => (progress.isDone = true))
    const parts = [loading, this.#killer.run(kills), this.#weather(processes, fair.signal)] as const
    for (const part of parts) part.catch((error: unknown) => this.#abort.abort(error))
    try {
      const [[expected]] = await Promise.all(parts.slice(0, 2) as [typeof loading, Promise<void>])
      return expected
    } catch (error) {
      // Nothing may go on behind the back of what comes next.
      await Promise.allSettled(parts)
      throw signal.aborted ? signal.reason : error
    } finally {
      fair.abort()
      await Promise.allSettled(parts)
    }
  }

  async #weather(processes: Processes, fair: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([fair, this.#abort.signal])
    for (const weather of chooseWeather(this.#options.seed, ACQUIRER_TIMEOUT_MS)) {
      if (stop.aborted) return
      await processes.setFaults(weather.faults)
      await sleep(weather.ms, undefined, { signal: stop }).catch(() => {})
    }
  }

  /** A simulation that misses what it aims at proves nothing. Early in a start there may be no database to be killed. */
  #checkStruck(): void {
    const struck = this.#killer?.struck ?? []
    const aimed = struck.filter(({ kill, wasReady }) => wasReady && killsDatabase(kill.target))
    const hits = aimed.filter((kill) => kill.hitDatabase).length
    if (hits * 2 < aimed.length) {
      this.#findings.push(`only ${hits} of ${aimed.length} kills of the database hit it`)
    }
  }

  /** Without faults everything must come to its end; then both sides of the account are compared. */
  async #settle(
    processes: Processes,
    merchant: Merchant,
    load: Load,
    expected: readonly ExpectedOrder[],
  ): Promise<void> {
    const { tell } = this.#options
    await processes.setFaults(NO_FAULTS)
    const quiet = await merchant.now()
    await load.advanceTo(quiet.add(RESOLVED_AFTER))
    this.#findings.push(...checkResolved(await readOrders(merchant)))
    await load.advanceTo(quiet.add(ALL_PAID_AFTER))
    const accounts = await readAccounts(merchant, processes.simulatorUrl)
    const now = await merchant.now()
    this.#orders = accounts.orders.length
    tell(
      `${accounts.orders.length} orders, ${accounts.events.length} events and ${accounts.books.length} lines of the books read after ${this.#seconds()} s`,
    )
    this.#findings.push(
      ...checkResolved(accounts.orders),
      ...checkBooks(accounts),
      ...checkOrders(accounts.orders, expected),
      ...checkPlans(accounts, load.expectedPlans(now)),
      ...checkEvents(accounts),
    )
    await this.#verify(processes)
  }

  async #verify(processes: Processes): Promise<void> {
    const { exitCode, stdout, stderr } = await processes.command('verify', '--json')
    if (exitCode === 0) return
    this.#findings.push(`verify exits ${exitCode}: ${`${stdout}\n${stderr}`.trim().slice(0, 3000)}`)
  }

  /** Answers where everything was left, when something does not hold. */
  async #endProcesses(): Promise<string | undefined> {
    const processes = this.#processes
    if (processes === undefined) return undefined
    if (!(await processes.end())) this.#findings.push('the service did not end after SIGTERM')
    if (this.#findings.length > 0) return processes.root
    await processes.remove()
    return undefined
  }

  #found(error: unknown): void {
    this.#findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    const said = this.#processes?.serviceSaid ?? ''
    if (said !== '') this.#findings.push(`the service said at last:\n${said.slice(-4000)}`)
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#startedAtMs) / 1000)
  }
}
