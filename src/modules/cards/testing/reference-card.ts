import type { Instant } from '#kernel/clock'

/**
 * A card as the contract tells it, in memory: nothing is counted in advance, every sum is made anew over all that ever
 * happened, and windows are compared as local dates. Slow and simple, so that it can be believed.
 */
export type Period = 'Transaction' | 'Daily' | 'Monthly' | 'Lifetime'

export interface ReferenceLimit {
  readonly period: Period
  amount: number
  active: boolean
}

export interface ReferenceAuthorization {
  readonly at: Instant
  readonly amount: number
  reason: string | undefined
  held: number
  covered: number
  refunded: number
  reversedFully: boolean
  expired: boolean
  readonly forced: { at: Instant; amount: number }[]
}

const SEVEN_DAYS = { hours: 168 }

export class ReferenceCard {
  zone: string
  now: Instant
  readonly limits: ReferenceLimit[]
  countLimit: { period: 'Daily' | 'Monthly' | 'Lifetime'; count: number } | undefined
  readonly authorizations: ReferenceAuthorization[] = []

  constructor(zone: string, now: Instant, limits: ReferenceLimit[]) {
    this.zone = zone
    this.now = now
    this.limits = limits
  }

  authorize(amount: number): ReferenceAuthorization {
    const reason = this.#reason(amount)
    const authorization: ReferenceAuthorization = {
      at: this.now,
      amount,
      reason,
      held: reason === undefined ? amount : 0,
      covered: 0,
      refunded: 0,
      reversedFully: false,
      expired: false,
      forced: [],
    }
    this.authorizations.push(authorization)
    return authorization
  }

  #reason(amount: number): string | undefined {
    const { countLimit } = this
    if (countLimit !== undefined && this.#count(countLimit.period) >= countLimit.count) {
      return `count_exceeded_${countLimit.period.toLowerCase()}`
    }
    for (const period of ['Transaction', 'Daily', 'Monthly', 'Lifetime'] as const) {
      const limit = this.limits.find((candidate) => candidate.period === period && candidate.active)
      if (limit !== undefined && this.used(period) + amount > limit.amount) {
        return `limit_exceeded_${period.toLowerCase()}`
      }
    }
    return undefined
  }

  used(period: Period): number {
    if (period === 'Transaction') return 0
    let sum = 0
    for (const one of this.authorizations) {
      if (this.#isNow(period, one.at)) sum += one.held + one.covered - one.refunded
      for (const forced of one.forced) if (this.#isNow(period, forced.at)) sum += forced.amount
    }
    return sum
  }

  #count(period: Period): number {
    const counted = (one: ReferenceAuthorization) => one.reason === undefined && !one.reversedFully
    return this.authorizations.filter((one) => counted(one) && this.#isNow(period, one.at)).length
  }

  #isNow(period: Period, at: Instant): boolean {
    const [then, now] = [at, this.now].map((instant) => instant.toZonedDateTimeISO(this.zone).toPlainDate())
    if (then === undefined || now === undefined) return false
    if (period === 'Daily') return then.equals(now)
    if (period === 'Monthly') return then.toPlainYearMonth().equals(now.toPlainYearMonth())
    return true
  }

  /** Answers a reason when it is refused. */
  capture(
    one: ReferenceAuthorization,
    given: number | undefined,
    final = given === undefined,
  ): string | undefined {
    if (one.reason !== undefined || one.reversedFully) return 'authorization_state_conflict'
    const amount = given ?? one.held
    if (amount === 0) return 'nothing_to_capture'
    const covered = Math.min(amount, one.held)
    one.covered += covered
    one.held = final ? 0 : one.held - covered
    if (amount > covered) one.forced.push({ at: this.now, amount: amount - covered })
    return undefined
  }

  reverse(one: ReferenceAuthorization, given: number | undefined): string | undefined {
    if (one.reason !== undefined || one.reversedFully) return 'authorization_state_conflict'
    if (one.held === 0) return 'nothing_to_reverse'
    const amount = given ?? one.held
    if (amount > one.held) return 'reversal_too_large'
    one.held -= amount
    one.reversedFully = one.held === 0 && this.captured(one) === 0
    return undefined
  }

  refund(one: ReferenceAuthorization, given: number | undefined): string | undefined {
    if (one.reason !== undefined || one.reversedFully) return 'authorization_state_conflict'
    const left = this.captured(one) - one.refunded
    if (left === 0) return 'nothing_to_refund'
    const amount = given ?? left
    if (amount > left) return 'card_refund_too_large'
    one.refunded += amount
    return undefined
  }

  moveTo(at: Instant): void {
    this.now = at
    for (const one of this.authorizations) {
      if (one.held === 0 || Temporal.Instant.compare(one.at.add(SEVEN_DAYS), at) > 0) continue
      one.held = 0
      one.expired = true
    }
  }

  captured(one: ReferenceAuthorization): number {
    return one.covered + one.forced.reduce((sum, forced) => sum + forced.amount, 0)
  }

  state(one: ReferenceAuthorization): string {
    if (one.reason !== undefined) return 'declined'
    if (one.held > 0) return 'pending'
    const captured = this.captured(one)
    if (captured > 0) return one.refunded === captured ? 'refunded' : 'captured'
    return one.reversedFully ? 'reversed' : 'expired'
  }
}
