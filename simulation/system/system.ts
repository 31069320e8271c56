import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../scenarios/harness/client.ts'
import { act, timeFromNow } from './actors/act.ts'
import { Business } from './actors/business.ts'
import { bulkEnds, checkBusiness, refundInBulk } from './checks/quiet-point.ts'
import type { Round, SystemOptions, SystemPlan } from './plan/plan.ts'
import { type ExecutedKill, FaultRunner } from './world/fault-runner.ts'
import { World } from './world/world.ts'

export interface RunOptions {
  /** The rounds in turn. A generator may end when time is up. */
  readonly rounds: Iterable<Round>
  readonly options: SystemOptions
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly log: (message: string) => void
}

export interface SystemReport {
  readonly findings: readonly string[]
  readonly faults: ReadonlyMap<string, number>
  readonly kills: readonly ExecutedKill[]
  /** How often merchants repeated a request, by the reason. */
  readonly retries: ReadonlyMap<string, number>
  /** How often something was done to plans, their orders and sent invoices. */
  readonly acts: ReadonlyMap<string, number>
  /** Leaves out the orders of plans. */
  readonly orders: number
  readonly seconds: number
  /** What was done, even if it failed: enough to do it again. */
  readonly plan: SystemPlan
  /** The directory with databases, books, logs and plan.json, which is kept when there are findings. */
  readonly keptDirectory: string | undefined
}

/** Runs round after round until one leaves findings. */
export async function simulateSystem(run: RunOptions): Promise<SystemReport> {
  return new SystemSimulation(run).run()
}

class SystemSimulation {
  readonly #run: RunOptions
  readonly #startedAtMs = performance.now()
  readonly #abort = new AbortController()
  readonly #findings: string[] = []
  readonly #done: Round[] = []
  #businesses: readonly Business[] = []
  #faults: FaultRunner | undefined
  #world: World | undefined
  /** The actions that a hanging run waits for. */
  readonly #underWay = new Set<string>()

  constructor(run: RunOptions) {
    this.#run = run
    run.signal?.addEventListener('abort', () => this.#abort.abort(run.signal?.reason), { once: true })
  }

  async run(): Promise<SystemReport> {
    const { timeoutMs, options } = this.#run
    const deadline = setTimeout(
      () => this.#abort.abort(new Error(`the simulation did not end within ${timeoutMs} ms`)),
      timeoutMs,
    )
    try {
      await this.#simulate()
    } catch (error) {
      this.#findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      if (this.#underWay.size > 0) this.#findings.push(`under way: ${[...this.#underWay].join(', ')}`)
      for (const service of this.#world?.services ?? [])
        this.#findings.push(`${service.url}: ${service.output}`)
    } finally {
      clearTimeout(deadline)
      this.#abort.abort(new Error('the simulation has ended'))
    }
    const keptDirectory = await this.#end()
    return {
      findings: this.#findings,
      faults: this.#faults?.counts ?? new Map<string, number>(),
      kills: this.#faults?.executed ?? [],
      retries: this.#retries(),
      acts: this.#acts(),
      orders: this.#businesses.reduce((total, { orders }) => total + orders.size, 0),
      seconds: this.#seconds(),
      plan: { options, rounds: this.#done },
      keptDirectory,
    }
  }

  async #simulate(): Promise<void> {
    const { options, rounds, log } = this.#run
    const { signal } = this.#abort
    const world = await World.start(options, (message) => this.#abort.abort(new Error(message)))
    this.#world = world
    const { chain } = world
    this.#businesses = await Promise.all(
      [...world.acquirers.values()].map(async (acquirer, index) => {
        const sandbox = await world.createBusiness(`Business ${index}`)
        return Business.open({ index, sandbox, acquirer, signal, chain })
      }),
    )
    const probe = new Client(await world.createBusiness('Probe'))
    this.#faults = new FaultRunner(world, this.#businesses, probe, signal)
    log(`${this.#businesses.length} businesses after ${this.#seconds()} s`)
    for (const round of rounds) {
      this.#done.push(round)
      await this.#keepPlan()
      await this.#runRound(round)
      log(`round ${this.#done.length} after ${this.#seconds()} s, ${this.#findings.length} findings`)
      if (this.#findings.length > 0) return
    }
    this.#findings.push(...this.#faults.findings())
    await this.#verify(world)
  }

  async #runRound(round: Round): Promise<void> {
    const world = this.#world
    const faults = this.#faults
    if (world === undefined || faults === undefined) return
    const number = this.#done.length - 1
    await faults.beginRound()
    const reach = timeFromNow(this.#abort.signal)
    const acting = act(round, this.#businesses, { number, reach, underWay: this.#underWay })
    const chain = this.#inTurn(round.chain, (action) =>
      world.chain.run(action, (business) => this.#businesses[business]?.wallet?.address ?? ''),
    )
    const disturbing = round.faults.map((fault) => this.#at(fault.atMs, fault.kind, () => faults.run(fault)))
    void Promise.allSettled(acting).then(() => faults.actorsAreDone())
    await this.#all([...acting, chain, ...disturbing])
    if (round.goesOn) return faults.settle()
    this.#run.log(`round ${number + 1}: actions done after ${this.#seconds()} s`)
    const bulks = await Promise.all(this.#businesses.map((business) => refundInBulk(business, number)))
    await faults.heal()
    await Promise.all(this.#businesses.map((business, index) => bulkEnds(business, bulks[index])))
    await world.chain.settle()
    this.#run.log(`round ${number + 1}: faults ended after ${this.#seconds()} s`)
    const findings = await this.#all(
      this.#businesses.map((business) =>
        this.#named(`checks of business ${business.index}`, () => checkBusiness(business)),
      ),
    )
    this.#findings.push(...findings.flat())
    for (const { merchant, acquirer } of this.#businesses) {
      const errors = merchant.serverErrors.splice(0)
      this.#findings.push(...errors.map((error) => `${acquirer.name}: a 500 response: ${error}`))
    }
  }

  /** The first task that fails ends the run, and nothing may go on while the processes are stopped. */
  async #all<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
    for (const task of tasks) task.catch((error: unknown) => this.#abort.abort(error))
    const settled = await Promise.allSettled(tasks)
    this.#abort.signal.throwIfAborted()
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  async #at(atMs: number, name: string, work: () => Promise<void>): Promise<void> {
    await sleep(atMs, undefined, { signal: this.#abort.signal })
    await this.#named(name, work)
  }

  async #named<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#underWay.add(name)
    const result = await work()
    this.#underWay.delete(name)
    return result
  }

  async #inTurn<Action extends { readonly atMs: number }>(
    actions: readonly Action[],
    run: (action: Action) => Promise<void>,
  ): Promise<void> {
    const startedAtMs = performance.now()
    for (const action of actions) {
      const waitMs = Math.max(0, action.atMs - (performance.now() - startedAtMs))
      await sleep(waitMs, undefined, { signal: this.#abort.signal })
      await this.#named(JSON.stringify(action), () => run(action))
    }
  }

  async #verify(world: World): Promise<void> {
    const { exitCode, stdout, stderr } = await world.runCommand('verify', '--json')
    if (exitCode === 0) return
    this.#findings.push(
      `quittance verify ended with ${exitCode}: ${`${stdout}\n${stderr}`.trim().slice(0, 3_000)}`,
    )
  }

  async #keepPlan(): Promise<void> {
    const plan: SystemPlan = { options: this.#run.options, rounds: this.#done }
    if (this.#world !== undefined) {
      await writeFile(join(this.#world.root, 'plan.json'), `${JSON.stringify(plan, null, 1)}\n`)
    }
  }

  async #end(): Promise<string | undefined> {
    for (const { follower, second } of this.#businesses) {
      follower.receiver.stop()
      second.receiver.stop()
    }
    if (this.#world === undefined) return undefined
    this.#findings.push(...(await this.#world.stop()))
    if (this.#findings.length > 0) return this.#world.root
    await this.#world.remove()
    return undefined
  }

  #retries(): Map<string, number> {
    const retries = new Map<string, number>()
    for (const { merchant } of this.#businesses) {
      for (const [reason, times] of merchant.retries) retries.set(reason, (retries.get(reason) ?? 0) + times)
    }
    return retries
  }

  #acts(): Map<string, number> {
    const ofDesks = this.#businesses.flatMap(({ desk }) => desk.flatMap(({ acts }) => acts))
    const ofPlans = this.#businesses.flatMap(({ plans }) =>
      plans.flatMap(({ entries, transfers }) => [
        ...entries.map((entry) => (entry.do === 'note' ? `${entry.do} (${entry.refund})` : entry.do)),
        ...transfers.flatMap(({ wasUndone }) => (wasUndone ? ['transfer', 'undone transfer'] : ['transfer'])),
      ]),
    )
    const byKind = Map.groupBy([...ofPlans, ...ofDesks], (kind) => kind)
    return new Map([...byKind].map(([kind, ofKind]) => [kind, ofKind.length]))
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#startedAtMs) / 1_000)
  }
}
