import { randomNumbers } from '#kernel/random-numbers'
import { ControlError, readChance, readObject, readWhole } from './control.ts'

export interface FaultSettings {
  readonly latency_ms: number
  /** Chance of a 500 that booked nothing. */
  readonly fail_before: number
  /** Chance of a 500 after the request was booked. */
  readonly fail_after: number
  /** Chance that the connection is cut after the request was booked. */
  readonly lose_answer: number
  /** Chance of a 429 that booked nothing. */
  readonly rate_limit: number
  /** A regular expression over `POST /v1/…`: only requests that match it fail. */
  readonly match: string | null
  /** After so many faults the twin works again; null means never. */
  readonly times: number | null
  /** Makes the faults repeatable; null draws new ones each time. */
  readonly seed: number | null
}

type Chance = 'fail_before' | 'fail_after' | 'lose_answer' | 'rate_limit'

const NONE: FaultSettings = {
  latency_ms: 0,
  fail_before: 0,
  fail_after: 0,
  lose_answer: 0,
  rate_limit: 0,
  match: null,
  times: null,
  seed: null,
}

const MAX_LATENCY_MS = 600_000
const MAX_TIMES = 1_000_000
const MAX_SEED = 0xffff_ffff

/** Injected faults, which end with the process. */
export class Faults {
  #settings = NONE
  #pattern: RegExp | null = null
  #left = Infinity
  #random: () => number = Math.random

  get settings(): FaultSettings {
    return this.#settings
  }

  /** Replaces all settings; what is missing is off. Throws `ControlError`. */
  put(text: string): void {
    const body = readObject(text, Object.keys(NONE))
    const settings: FaultSettings = {
      latency_ms: readWhole(body, 'latency_ms', MAX_LATENCY_MS) ?? 0,
      fail_before: readChance(body, 'fail_before'),
      fail_after: readChance(body, 'fail_after'),
      lose_answer: readChance(body, 'lose_answer'),
      rate_limit: readChance(body, 'rate_limit'),
      match: readPattern(body.match),
      times: readWhole(body, 'times', MAX_TIMES) ?? null,
      seed: readWhole(body, 'seed', MAX_SEED) ?? null,
    }
    this.#settings = settings
    this.#pattern = settings.match === null ? null : new RegExp(settings.match)
    this.#left = settings.times ?? Infinity
    this.#random = settings.seed === null ? Math.random : randomNumbers(settings.seed)
  }

  /** `target` is the method and the path, such as `POST /v1/refunds`. */
  strikes(fault: Chance, target: string): boolean {
    const chance = this.#settings[fault]
    if (chance === 0 || this.#left <= 0 || !this.#concerns(target) || this.#random() >= chance) return false
    this.#left -= 1
    return true
  }

  latencyMs(target: string): number {
    return this.#concerns(target) ? this.#settings.latency_ms : 0
  }

  #concerns(target: string): boolean {
    return this.#pattern === null || this.#pattern.test(target)
  }
}

function readPattern(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new ControlError('match must be a regular expression')
  try {
    return new RegExp(value).source
  } catch {
    throw new ControlError('match must be a regular expression')
  }
}
