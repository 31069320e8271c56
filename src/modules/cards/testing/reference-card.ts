import type { Instant } from '#kernel/clock'

/**
 * A model of a card in memory. It keeps no counters: every sum runs over all authorizations, and windows are compared as
 * local dates. It is slow, and simple enough to be trusted.
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
    for (const authorization of this.authorizations) {
      if (this.#isInCurrentWindow(period, authorization.at))
        sum += authorization.held + authorization.covered - authorization.refunded
      for (const forced of authorization.forced) {
        if (this.#isInCurrentWindow(period, forced.at)) sum += forced.amount
      }
    }
    return sum
  }

  #count(period: Period): number {
    const counted = (authorization: ReferenceAuthorization) =>
      authorization.reason === undefined && !authorization.reversedFully
    return this.authorizations.filter(
      (authorization) => counted(authorization) && this.#isInCurrentWindow(period, authorization.at),
    ).length
  }

  #isInCurrentWindow(period: Period, at: Instant): boolean {
    const [then, now] = [at, this.now].map((instant) => instant.toZonedDateTimeISO(this.zone).toPlainDate())
    if (then === undefined || now === undefined) return false
    if (period === 'Daily') return then.equals(now)
    if (period === 'Monthly') return then.toPlainYearMonth().equals(now.toPlainYearMonth())
    return true
  }

  capture(
    authorization: ReferenceAuthorization,
    requested: number | undefined,
    final = requested === undefined,
  ): string | undefined {
    if (authorization.reason !== undefined || authorization.reversedFully)
      return 'authorization_state_conflict'
    const amount = requested ?? authorization.held
    if (amount === 0) return 'nothing_to_capture'
    const covered = Math.min(amount, authorization.held)
    authorization.covered += covered
    authorization.held = final ? 0 : authorization.held - covered
    if (amount > covered) authorization.forced.push({ at: this.now, amount: amount - covered })
    return undefined
  }

  reverse(authorization: ReferenceAuthorization, requested: number | undefined): string | undefined {
    if (authorization.reason !== undefined || authorization.reversedFully)
      return 'authorization_state_conflict'
    if (authorization.held === 0) return 'nothing_to_reverse'
    const amount = requested ?? authorization.held
    if (amount > authorization.held) return 'reversal_too_large'
    authorization.held -= amount
    authorization.reversedFully = authorization.held === 0 && this.captured(authorization) === 0
    return undefined
  }

  refund(authorization: ReferenceAuthorization, requested: number | undefined): string | undefined {
    if (authorization.reason !== undefined || authorization.reversedFully)
      return 'authorization_state_conflict'
    const left = this.captured(authorization) - authorization.refunded
    if (left === 0) return 'nothing_to_refund'
    const amount = requested ?? left
    if (amount > left) return 'card_refund_too_large'
    authorization.refunded += amount
    return undefined
  }

  advanceTo(at: Instant): void {
    this.now = at
    for (const authorization of this.authorizations) {
      if (authorization.held === 0 || Temporal.Instant.compare(authorization.at.add(SEVEN_DAYS), at) > 0)
        continue
      authorization.held = 0
      authorization.expired = true
    }
  }

  captured(authorization: ReferenceAuthorization): number {
    return authorization.covered + authorization.forced.reduce((sum, forced) => sum + forced.amount, 0)
  }

  state(authorization: ReferenceAuthorization): string {
    if (authorization.reason !== undefined) return 'declined'
    if (authorization.held > 0) return 'pending'
    const captured = this.captured(authorization)
    if (captured > 0) return authorization.refunded === captured ? 'refunded' : 'captured'
    return authorization.reversedFully ? 'reversed' : 'expired'
  }
}
