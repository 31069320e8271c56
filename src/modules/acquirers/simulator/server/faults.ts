import { randomInt } from 'node:crypto'
import { randomNumbers } from '#kernel/random-numbers'
import { invalid, readObject } from './request.ts'

interface FaultSettings {
  readonly latency_ms: number
  readonly fail_before: number
  readonly fail_after: number
  readonly lose_answer: number
  readonly seed: number
}

type Chance = 'fail_before' | 'fail_after' | 'lose_answer'

const MAX_LATENCY_MS = 600_000
const MAX_SEED = 0xffff_ffff
const MEMBERS = ['latency_ms', 'fail_before', 'fail_after', 'lose_answer', 'seed']

class Faults {
  #settings: FaultSettings = { latency_ms: 0, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 0 }
  #random = randomNumbers(0)

  get settings(): FaultSettings {
    return this.#settings
  }

  put(text: string): void {
    const body = readObject(text, MEMBERS)
    this.#settings = {
      latency_ms: readWhole(body.latency_ms, 'latency_ms', MAX_LATENCY_MS) ?? 0,
      fail_before: readChance(body.fail_before, 'fail_before'),
      fail_after: readChance(body.fail_after, 'fail_after'),
      lose_answer: readChance(body.lose_answer, 'lose_answer'),
      seed: readWhole(body.seed, 'seed', MAX_SEED) ?? randomInt(MAX_SEED),
    }
    this.#random = randomNumbers(this.#settings.seed)
  }

  strikes(fault: Chance): boolean {
    const chance = this.#settings[fault]
    return chance > 0 && this.#random() < chance
  }
}

export class FaultsByTenant {
  readonly #shared = new Faults()
  readonly #own = new Map<string, Faults>()

  of(tenant: string | null): Faults {
    return (tenant === null ? undefined : this.#own.get(tenant)) ?? this.#shared
  }

  put(tenant: string | null, text: string): void {
    if (tenant === null) return this.#shared.put(text)
    const faults = new Faults()
    faults.put(text)
    const { seed: _, ...chances } = faults.settings
    if (Object.values(chances).some((value) => value > 0)) this.#own.set(tenant, faults)
    else this.#own.delete(tenant)
  }
}

function readChance(value: unknown, param: string): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw invalid(param, 'must be a number from 0 to 1')
}

function readWhole(value: unknown, param: string, max: number): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value
  throw invalid(param, `must be a whole number from 0 to ${max}`)
}
