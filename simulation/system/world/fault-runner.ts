import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../scenarios/harness/client.ts'
import type { Business } from '../actors/business.ts'
import {
  type Disturbance,
  type Fault,
  hitsDatabase,
  hitsService,
  isDisturbance,
  type Kill,
  type Moment,
  PARTED_ACTS,
  type PartedAct,
} from '../plan/draw-faults.ts'
import { NO_FAULTS } from '../../acquirers/faults.ts'
import { isBetweenChargeAndChange } from './awaited-charges.ts'
import { BookingCounter } from './booking-counter.ts'
import { msUntilItWrites } from './probe.ts'
import type { World } from './world.ts'

/** Longer than a circuit breaker of an acquirer account stays open. */
const CIRCUIT_BREAKER_MS = 6_000
const POLL_MS = 2
/** Nothing may be moving the clock. */
const MAX_WAIT_FOR_ADVANCE_MS = 5_000
/** The charge may be declined, or lost on its way. */
const MAX_WAIT_FOR_CHARGE_MS = 100
/** What a paused process has sent arrives on loopback. */
const MS_UNTIL_ARRIVED = 15
/** What users of the service are promised. */
const MAX_MS_UNTIL_WRITES = 15_000

export interface ExecutedKill {
  readonly kill: Kill
  readonly wasAdvancing: boolean
  readonly wasReady: boolean
  /** The acts that were under way. */
  readonly parted: readonly PartedAct[]
  /** Whether the acquirer had booked the charge of a change that had not taken place. Known only of kills that wait for it. */
  readonly wasCharged: boolean
  /** Whether the actors still worked. */
  readonly wasUnderLoad: boolean
  readonly hitDatabase: boolean
  /**
   * For a failover: the time from the loss of the primary to the first write that the service acknowledges through
   * its API.
   */
  readonly writesAfterMs: number | undefined
}

/** Kills are done one after the other, so that none hits a process that another one has down. */
export class FaultRunner {
  readonly #world: World
  readonly #businesses: readonly Business[]
  /** A client of a business whose clock nobody moves. */
  readonly #probe: Client
  readonly #counter: BookingCounter | undefined
  readonly #signal: AbortSignal
  #kills: Promise<void> = Promise.resolve()
  #bookingsBefore = 0
  #areActorsDone = false
  readonly executed: ExecutedKill[] = []
  readonly counts = new Map<string, number>()

  constructor(world: World, businesses: readonly Business[], probe: Client, signal: AbortSignal) {
    this.#world = world
    this.#businesses = businesses
    this.#probe = probe
    this.#signal = signal
    const [acquirer] = world.acquirers.values()
    this.#counter = acquirer && new BookingCounter(acquirer)
  }

  async beginRound(): Promise<void> {
    this.#areActorsDone = false
    this.#bookingsBefore = (await this.#counter?.count()) ?? 0
  }

  /** Kills that still wait for their moment happen now. */
  actorsAreDone(): void {
    this.#areActorsDone = true
  }

  async run(fault: Fault): Promise<void> {
    if (isDisturbance(fault)) return this.#disturb(fault)
    this.#kills = this.#kills.then(() => this.#kill(fault))
    return this.#kills
  }

  /** Resolves once every process works again. */
  async settle(): Promise<void> {
    await this.#kills
    await this.#world.database.recover()
    await this.#world.ready()
  }

  /** Kills that miss the database prove nothing. Only those of a ready service count: an earlier one may find no database. */
  findings(): string[] {
    const aimed = this.executed.filter(({ kill, wasReady }) => wasReady && hitsDatabase(kill.kind))
    const hits = aimed.filter(({ hitDatabase }) => hitDatabase).length
    const missed =
      hits * 2 < aimed.length ? [`only ${hits} of ${aimed.length} kills of the database hit it`] : []
    const late = this.executed.flatMap(({ kill, writesAfterMs = 0 }) =>
      writesAfterMs > MAX_MS_UNTIL_WRITES
        ? [`writes only ${Math.round(writesAfterMs)} ms after the failover ${JSON.stringify(kill.failover)}`]
        : [],
    )
    return [...missed, ...late]
  }

  async #disturb(fault: Disturbance): Promise<void> {
    switch (fault.kind) {
      case 'acquirer_faults':
        return this.#world.acquirers.get(fault.acquirer)?.setFaults(fault.faults)
      case 'acquirer_forgets':
        return this.#world.acquirers.get(fault.acquirer)?.forgetKeys()
      case 'receiver':
        return this.#disturbReceiver(fault)
      case 'receiver_gone': {
        const receiver = this.#businesses[fault.business]?.second.receiver
        if (receiver !== undefined) receiver.mode = 'gone'
      }
    }
  }

  /** Ends every fault and waits until all processes work again. */
  async heal(): Promise<void> {
    for (const acquirer of this.#world.acquirers.values()) await acquirer.setFaults(NO_FAULTS)
    for (const { follower, second } of this.#businesses) {
      follower.receiver.mode = 'ok'
      if (second.receiver.mode !== 'gone') second.receiver.mode = 'ok'
    }
    await this.settle()
    await this.#comeBack()
    await sleep(CIRCUIT_BREAKER_MS)
  }

  /**
   * Twins repeat undelivered notices after up to a minute of the real clock, while the business's clock moves on by days. At a
   * restart they repeat them at once. Stripe repeats the failure of a refund under its key until it forgets the key after a day.
   */
  async #comeBack(): Promise<void> {
    for (const acquirer of this.#world.acquirers.values()) {
      await acquirer.kill()
      await acquirer.start()
      await acquirer.forgetKeys()
    }
  }

  async #disturbReceiver(fault: Disturbance & { kind: 'receiver' }): Promise<void> {
    const receiver = this.#businesses[fault.business]?.follower.receiver
    if (receiver === undefined) return
    this.#count(`receiver ${fault.mode}`)
    receiver.mode = fault.mode
    await sleep(fault.ms)
    receiver.mode = 'ok'
  }

  async #kill(kill: Kill): Promise<void> {
    const { kind, downMs, failover, moment } = kill
    const world = this.#world
    if (moment?.on !== 'start') await world.ready()
    const wasCharged = moment?.on === 'charged' && (await this.#pauseOnceCharged())
    if (moment !== undefined) await this.#waitFor(moment)
    this.#signal.throwIfAborted()
    this.#count(kind)
    const before = {
      kill,
      wasAdvancing: this.#businesses.some(({ isMovingClock }) => isMovingClock),
      wasReady: world.services.every(({ isReady }) => isReady),
      parted: PARTED_ACTS.filter((act) => this.#isDuring(act)),
      wasCharged,
      wasUnderLoad: !this.#areActorsDone,
    }
    const services =
      kind === 'service' ? [world.service(kill.index)] : hitsService(kind) ? world.services : []
    const acquirers = [...world.acquirers.values()].filter(
      ({ name }) => kind === 'everything' || (kind === 'acquirer' && name === kill.acquirer),
    )
    const isMeasured = failover !== undefined && services.length === 0
    const lost = Promise.withResolvers<void>()
    const [hitDatabase, writesAfterMs] = await Promise.all([
      hitsDatabase(kind) && world.database.crash(failover, lost.resolve),
      isMeasured ? lost.promise.then(() => msUntilItWrites(this.#probe, this.#signal)) : undefined,
      ...[...services, ...acquirers].map((one) => one.kill()),
    ])
    this.executed.push({ ...before, hitDatabase, writesAfterMs })
    await sleep(downMs)
    for (const acquirer of acquirers) await acquirer.start()
    for (const service of services) service.start()
    if (services.length === 0) await world.database.recover()
  }

  async #waitFor(moment: Moment): Promise<void> {
    switch (moment.on) {
      case 'start': {
        const startedAtMs = Math.max(...this.#world.services.map((service) => service.startedAtMs))
        await this.#until(() => performance.now() - startedAtMs >= moment.delayMs)
        return
      }
      case 'advance':
        await this.#until(
          () => this.#businesses.some(({ isMovingClock }) => isMovingClock),
          MAX_WAIT_FOR_ADVANCE_MS,
        )
        return sleep(moment.delayMs)
      case 'booking':
        await this.#until(
          async () => ((await this.#counter?.count()) ?? 0) - this.#bookingsBefore >= moment.count,
        )
        return sleep(moment.delayMs)
      case 'reissue':
        await this.#until(() => this.#isDuring('reissue'))
        return sleep(moment.delayMs)
      case 'charged':
        return
      // Where nothing was booked yet, the charge itself is killed.
      case 'paid_first': {
        await this.#until(() => this.#isDuring('paid_first'))
        const before = await this.#counter?.count()
        await this.#until(async () => (await this.#counter?.count()) !== before, MAX_WAIT_FOR_CHARGE_MS)
        return sleep(moment.delayMs)
      }
    }
  }

  /** Pauses the service at bookings while changes are charged, until a pause falls between a charge and its change. Then they stay paused. */
  async #pauseOnceCharged(): Promise<boolean> {
    let seen = await this.#counter?.count()
    let isPaused = false
    await this.#until(async () => {
      const count = await this.#counter?.count()
      if (count === seen || !this.#isDuring('paid_first')) return false
      seen = count
      isPaused = await this.#pauseIfCharged()
      return isPaused
    })
    return isPaused
  }

  async #pauseIfCharged(): Promise<boolean> {
    const { services, database, acquirers } = this.#world
    for (const service of services) service.pause()
    await sleep(MS_UNTIL_ARRIVED)
    const url = await database.ownerUrl()
    const [acquirer] = acquirers.values()
    if (url !== undefined && acquirer !== undefined && (await isBetweenChargeAndChange(url, acquirer)))
      return true
    for (const service of services) service.resume()
    return false
  }

  #isDuring(act: PartedAct): boolean {
    return this.#businesses.some((business) => business.underWayOf(act) > 0)
  }

  async #until(condition: () => boolean | Promise<boolean>, timeoutMs = Infinity): Promise<void> {
    const startedAtMs = performance.now()
    while (!this.#areActorsDone && performance.now() - startedAtMs < timeoutMs && !(await condition())) {
      this.#signal.throwIfAborted()
      await sleep(POLL_MS)
    }
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }
}
