import { setTimeout as sleep } from 'node:timers/promises'
import type { Business } from '../actors/business.ts'
import { type Disturbance, type Fault, isDisturbance, type Kill, NO_FAULTS } from '../plan/draw-faults.ts'
import type { World } from './world.ts'

/** Longer than a circuit breaker of an acquirer account stays open. */
const CIRCUIT_BREAKER_MS = 6_000

/** Kills are done one after the other, so that none hits a process that another one has down. */
export class FaultRunner {
  readonly #world: World
  readonly #businesses: readonly Business[]
  #kills: Promise<void> = Promise.resolve()
  readonly counts = new Map<string, number>()

  constructor(world: World, businesses: readonly Business[]) {
    this.#world = world
    this.#businesses = businesses
  }

  async run(fault: Fault): Promise<void> {
    if (isDisturbance(fault)) return this.#disturb(fault)
    this.#kills = this.#kills.then(() => this.#kill(fault))
    return this.#kills
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
    await this.#kills
    for (const acquirer of this.#world.acquirers.values()) await acquirer.setFaults(NO_FAULTS)
    for (const { follower, second } of this.#businesses) {
      follower.receiver.mode = 'ok'
      if (second.receiver.mode !== 'gone') second.receiver.mode = 'ok'
    }
    await this.#world.database.recover()
    await this.#world.ready()
    await this.#comeBack()
    await sleep(CIRCUIT_BREAKER_MS)
  }

  /**
   * What the twins could not tell while the service was down, they tell after a pause of up to a minute of the real clock.
   * The business's clock moves on by days meanwhile, so they tell it now, at a restart. After a day Stripe forgets the failure of a
   * refund, which it repeats under the refund's key until then.
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

  async #kill(fault: Kill): Promise<void> {
    this.#count(fault.kind)
    switch (fault.kind) {
      case 'service': {
        const service = this.#world.service(fault.index)
        await service.kill()
        await sleep(fault.downMs)
        service.start()
        return service.ready()
      }
      case 'services':
        await this.#killServices()
        return this.#startServices(fault.downMs)
      case 'database':
        await this.#world.database.crash(fault.failover)
        return this.#world.database.recover()
      case 'database_and_services':
        await Promise.all([this.#killServices(), this.#world.database.crash(fault.failover)])
        return this.#startServices(fault.downMs)
      case 'acquirer': {
        const acquirer = this.#world.acquirers.get(fault.acquirer)
        await acquirer?.kill()
        await sleep(fault.downMs)
        await acquirer?.start()
      }
    }
  }

  async #killServices(): Promise<void> {
    await Promise.all(this.#world.services.map((service) => service.kill()))
  }

  async #startServices(downMs: number): Promise<void> {
    await sleep(downMs)
    for (const service of this.#world.services) service.start()
    await this.#world.ready()
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }
}
