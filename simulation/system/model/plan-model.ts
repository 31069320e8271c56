import { MAX_LATENESS, type ExpectedPlan } from '../checks/accounts.ts'
import { type PlanLife, PRICES_HKD_MINOR } from '../plan/draw-plans.ts'
import { taxIn, taxOn } from './invoice-model.ts'
import { PlanCoupons, roundedPart } from './coupon-model.ts'
import { daysOfAttempts, exhaustedState, PATIENT, PATIENT_DAYS } from './policy-model.ts'
import { firstDueAt, stateWithoutCard, zoned } from './trial-model.ts'

/** A note that lowers what a credit is worth is rounded after the shares of its lines. */
const NOTE_ROUNDING = 2n
/** Attempts at an acquirer that is down are made again later. */
const SLACK_DAYS = 2

export interface PlanModel {
  readonly life: PlanLife
  readonly startsAt: Temporal.Instant
  readonly id: string
  readonly customerUuid: string
  /** The coupons that it was created with. The limited one may have been exhausted. */
  readonly coupons: readonly number[]
  /** What was done to it, in order. */
  readonly entries: PlanEntry[]
  readonly transfers: TransferModel[]
  /** The latest time at which it got another card. */
  newCardBy?: Temporal.Instant
  /** The act that is under way. */
  underWay?: Promise<void>
}

/** A bank transfer that pays an order of the plan. */
export interface TransferModel {
  readonly reference: string
  readonly bookedOn: Temporal.PlainDate
  readonly remittance: string
  readonly entryId: string
  readonly order: string
  readonly invoiceId: string
  readonly amountMinor: bigint
  isMatched: boolean
  isReturned: boolean
  wasUndone: boolean
}

/**
 * An order of the plan when something of it was returned.
 * - `isPrepaid`: The credit of the plan paid a part of it.
 */
export interface BilledOrder {
  readonly number: string
  readonly isOfChange: boolean
  readonly createdAt: Temporal.Instant
  readonly isPrepaid: boolean
}

/** - `made`: How many periods had been billed, which orders entries of the same moment. */
export type PlanEntry = { readonly at: Temporal.Instant; readonly made: number } & (
  | {
      readonly do: 'change'
      readonly priceIndex: number
      readonly isScheduled: boolean
      readonly isProrated: boolean
      /** By how much it lowered what was unpaid. */
      readonly creditedMinor: bigint
      readonly order?: string
    }
  | { readonly do: 'attach' | 'detach'; readonly coupon: number }
  | { readonly do: 'pause'; readonly until: Temporal.Instant }
  | { readonly do: 'cancel'; readonly unused: 'keep' | 'refund' }
  | { readonly do: 'reactivate'; readonly from: 'now' | 'missed' }
  /** - `lineMinor`: What it credited of the lines that charge something. It lowered first what was still due. */
  | {
      readonly do: 'note'
      readonly of: BilledOrder
      readonly lineMinor: bigint
      readonly loweredMinor: bigint
      readonly restMinor: bigint
      readonly refund: 'payment' | 'credit' | 'none'
    }
  /** - `isDone`: Whether it had succeeded by its response. */
  | {
      readonly do: 'refund'
      readonly of: BilledOrder
      readonly amountMinor: bigint
      readonly isDone: boolean
      readonly isWhole: boolean
    }
  | { readonly do: 'void'; readonly of: BilledOrder }
)

type Note = PlanEntry & { do: 'note' }
type Refund = PlanEntry & { do: 'refund' }
type Change = PlanEntry & { do: 'change' }

/** The time at which a plan is due this many weeks or months after its start. */
export function dueAt(startsAt: Temporal.Instant, after: Temporal.DurationLike): Temporal.Instant {
  return zoned(startsAt).add(after).toInstant()
}

/** What a plan has billed until `now`, computed from its start, its terms and what was done to it. */
export function expectedPlan(model: PlanModel, now: Temporal.Instant): ExpectedPlan {
  const course = new Course(model)
  for (const entry of model.entries) course.take(entry)
  return course.end(now)
}

/**
 * What a period, or the rest of it after a change, was billed.
 * - `from`: The start of what it covers.
 * - `order`: The order of a change.
 * - `creditedMinor`: What notes took of it, with tax.
 * - `refundedMinor`: What was refunded by hand. A refund makes a note of what no note has credited without returning
 * it.
 */
interface Part {
  readonly netMinor: bigint
  readonly from: Temporal.Instant
  readonly billedAt: Temporal.Instant
  readonly order?: string
  creditedMinor: bigint
  unsettledMinor: bigint
  refundedMinor: bigint
  notedMinor: bigint
}

type NewPart = Pick<Part, 'netMinor' | 'from' | 'billedAt' | 'order'>

function newPart(part: NewPart): Part {
  return { ...part, creditedMinor: 0n, unsettledMinor: 0n, refundedMinor: 0n, notedMinor: 0n }
}

/** - `isExact`: Otherwise `minor` is the most. */
interface Worth {
  readonly minor: bigint
  readonly isExact: boolean
  readonly roundingMinor: bigint
}

const NOTHING: Worth = { minor: 0n, isExact: true, roundingMinor: 0n }

/** The calendar and the amounts of a plan whose card is charged. */
class Course {
  readonly #model: PlanModel
  readonly #coupons: PlanCoupons
  #anchor: Temporal.Instant
  /** Counts the billing dates after the anchor. */
  #next = 0
  #priceIndex: number
  #scheduled: number | undefined
  #pausedUntil: Temporal.Instant | undefined
  #canceledAt: Temporal.Instant | undefined
  /** The last cancellation. Orders that were unpaid then stay unpaid. */
  #leftUnpaid: ExpectedPlan['leftUnpaid']
  #notBefore: Temporal.Instant
  #hasBegun = false
  /** Whether the current period was billed, and for what. */
  #isBilled = false
  #part: Part | undefined
  readonly #periods: { dueAt: Temporal.Instant; totalMinor: bigint }[] = []
  readonly #changes: { order: string | undefined; totalMinor: bigint; maxMinor: bigint }[] = []
  readonly #voided = new Set<string>()
  readonly #overpaid = new Map<string, bigint>()
  #isExact = true
  /** Whether the unused rest of the current period is known although a part of its orders was returned. */
  #isPeriodExact = true
  /** Whether the plan may have had credit, which a cancellation does not refund. */
  #hadCredit = false
  #givenBackMinor = 0n
  #mayGiveBackMinor = 0n

  constructor(model: PlanModel) {
    this.#model = model
    this.#coupons = new PlanCoupons(model.coupons)
    this.#anchor = firstDueAt(model.life, model.startsAt)
    this.#notBefore = this.#anchor
    this.#priceIndex = model.life.priceIndex
  }

  take(entry: PlanEntry): void {
    const { at, made } = entry
    const isPause = entry.do === 'pause'
    // A period whose billing is late is billed after what is done meanwhile, but not after a pause.
    this.#billUntil(
      at,
      (due) => this.#periods.length < made || (!isPause && isAfter(at.subtract(MAX_LATENESS), due)),
    )
    switch (entry.do) {
      case 'change':
        return this.#change(entry)
      case 'attach':
        return this.#coupons.attach(entry.coupon)
      case 'detach':
        return this.#coupons.detach(entry.coupon)
      case 'pause':
        this.#pausedUntil = entry.until
        return
      case 'cancel':
        return this.#cancel(at, entry.unused)
      case 'reactivate':
        return this.#reactivate(at, entry.from)
      case 'note':
        return this.#note(entry)
      case 'refund':
        return this.#refund(entry)
      case 'void':
        this.#voided.add(entry.of.number)
        if (this.#partOf(entry.of) === undefined) this.#isPeriodExact = false
        else this.#part = undefined
    }
  }

  end(now: Temporal.Instant): ExpectedPlan {
    this.#billUntil(now, (due) => !isAfter(due, now))
    const { life, startsAt, newCardBy } = this.#model
    const { card, gracePeriod } = life
    const days = daysOfAttempts(life) + (gracePeriod ?? 0) + SLACK_DAYS
    const firstDue = firstDueAt(life, startsAt)
    return {
      life,
      periods: stateWithoutCard(life) === undefined || newCardBy !== undefined ? this.#periods : [],
      changes: this.#changes,
      givenBackMinor: this.#givenBackMinor,
      maxGivenBackMinor: this.#givenBackMinor + this.#mayGiveBackMinor,
      voided: this.#voided,
      overpaid: this.#overpaid,
      isExact: this.#isExact,
      couponUses: this.#coupons.uses,
      states: this.#states(now),
      hasNewCard: newCardBy !== undefined,
      leftUnpaid: this.#leftUnpaid,
      timeOfDay: zoned(this.#anchor).toPlainTime(),
      isUndecided: card !== 'approves' && isAfter(firstDue.add({ hours: 24 * days }), now),
    }
  }

  #states(now: Temporal.Instant): string[] {
    const { life, startsAt, newCardBy } = this.#model
    const running = this.#runningState(now)
    if (life.card === 'approves') return [running]
    const firstDue = firstDueAt(life, startsAt)
    const unpaid = stateWithoutCard(life) ?? exhaustedState(life)
    if (newCardBy === undefined) return [unpaid]
    const lastAt =
      life.policy === PATIENT && unpaid === exhaustedState(life)
        ? firstDue.add({ hours: 24 * PATIENT_DAYS })
        : firstDue.subtract(MAX_LATENESS)
    return isAfter(newCardBy, lastAt) ? [running, unpaid] : [running]
  }

  #runningState(now: Temporal.Instant): string {
    if (this.#canceledAt !== undefined) return 'canceled'
    if (this.#hasLast && !isAfter(this.#due(this.#next), now)) return 'completed'
    if (this.#isPausedAt(now)) return 'paused'
    return this.#periods.length === 0 && isAfter(this.#anchor, now) ? 'upcoming' : 'active'
  }

  #due(period: number): Temporal.Instant {
    const { frequency } = this.#model.life
    return dueAt(this.#anchor, frequency === 'WEEKLY' ? { weeks: period } : { months: period })
  }

  #billUntil(now: Temporal.Instant, isDue: (due: Temporal.Instant) => boolean): void {
    if (this.#isPausedAt(now)) return
    if (this.#pausedUntil !== undefined) this.#endPause(this.#pausedUntil)
    while (this.#canceledAt === undefined && !this.#hasLast) {
      const due = this.#due(this.#next)
      const billedAt = later(due, this.#notBefore)
      if (!isDue(billedAt)) return
      this.#priceIndex = this.#scheduled ?? this.#priceIndex
      this.#scheduled = undefined
      const netMinor = this.#coupons.lower(this.#price(), this.#periods.length)
      this.#periods.push({ dueAt: billedAt, totalMinor: this.#withTax(netMinor) })
      this.#next++
      this.#hasBegun = true
      this.#isBilled = true
      this.#part = newPart({ netMinor, from: due, billedAt })
      this.#isPeriodExact = true
    }
  }

  get #hasLast(): boolean {
    return this.#periods.length === this.#model.life.billingCount
  }

  #isPausedAt(now: Temporal.Instant): boolean {
    return this.#pausedUntil !== undefined && isAfter(this.#pausedUntil, now)
  }

  /**
   * Periods that began in a pause are not billed. After a trial that ended in a pause, the first period begins
   * with the end of the pause.
   */
  #endPause(until: Temporal.Instant): void {
    this.#pausedUntil = undefined
    if (this.#model.life.trial !== undefined && !this.#hasBegun) {
      if (this.#canceledAt === undefined) this.#anchor = later(this.#anchor, until)
      return
    }
    for (; !this.#hasLast && isAfter(until, this.#due(this.#next)); this.#next++) this.#isBilled = false
  }

  #price(): bigint {
    return PRICES_HKD_MINOR[this.#priceIndex] ?? 0n
  }

  #change({ at, priceIndex, isScheduled, isProrated, creditedMinor, order }: Change): void {
    if (isScheduled) {
      this.#scheduled = priceIndex
      return
    }
    this.#priceIndex = priceIndex
    this.#givenBackMinor += creditedMinor
    if (!this.#isBilled) return
    if (!isProrated) {
      this.#part = undefined
      return
    }
    const whole = daysBetween(this.#due(this.#next - 1), this.#due(this.#next))
    const remaining = daysBetween(at, this.#due(this.#next))
    const credit = this.#unused(at)
    // On the day of the next period nothing is left to lower.
    const full = remaining === 0n ? 0n : this.#coupons.lower(this.#price(), this.#periods.length - 1)
    const charge = roundedPart(full, remaining, whole)
    const totalWith = ({ minor }: Worth): bigint => {
      const rest = creditedMinor === 0n ? minor : this.#net(this.#withTax(minor) - creditedMinor)
      return this.#withTax(charge - rest)
    }
    const totalMinor = totalWith(credit) - credit.roundingMinor
    const maxMinor = credit.isExact ? totalWith(credit) + credit.roundingMinor : this.#withTax(charge)
    this.#part = newPart({ netMinor: charge, from: at, billedAt: at, ...(order !== undefined && { order }) })
    if (totalMinor < 0n) this.#hadCredit = true
    if (order !== undefined || totalMinor > 0n || maxMinor < 0n)
      this.#changes.push({ order, totalMinor, maxMinor })
  }

  #withTax(netMinor: bigint): bigint {
    return this.#addsTax ? netMinor + taxOn(netMinor) : netMinor
  }

  #net(grossMinor: bigint): bigint {
    return this.#addsTax ? grossMinor - taxIn(grossMinor) : grossMinor
  }

  get #addsTax(): boolean {
    return this.#model.life.invoicing?.addsTax === true
  }

  /** The unused rest of the current period, by days and less what notes took, without tax on top. */
  #unused(at: Temporal.Instant): Worth {
    if (!this.#isBilled || this.#part === undefined) return NOTHING
    const { netMinor, from, creditedMinor } = this.#part
    const end = this.#due(this.#next)
    const remaining = daysBetween(at, end)
    if (remaining === 0n) return NOTHING
    const days = daysBetween(from, end)
    if (!this.#isPeriodExact)
      return { minor: roundedPart(netMinor, remaining, days), isExact: false, roundingMinor: NOTE_ROUNDING }
    if (creditedMinor === 0n)
      return { minor: roundedPart(netMinor, remaining, days), isExact: true, roundingMinor: 0n }
    const gross = this.#withTax(netMinor)
    const left = creditedMinor < gross ? gross - creditedMinor : 0n
    const worth = roundedPart(netMinor, left, gross)
    return { minor: roundedPart(worth, remaining, days), isExact: true, roundingMinor: NOTE_ROUNDING }
  }

  /**
   * Undefined for an order that no longer bills anything of the current period, and for one that has lost its
   * worth.
   */
  #partOf({ number, isOfChange, createdAt }: BilledOrder): Part | undefined {
    const part = this.#part
    if (part === undefined) return undefined
    if (isOfChange) return part.order === number ? part : undefined
    const isOfPeriod =
      !isAfter(part.billedAt, createdAt) && !isAfter(createdAt, part.billedAt.add(MAX_LATENESS))
    return part.order === undefined && isOfPeriod ? part : undefined
  }

  #note({ of, lineMinor, loweredMinor, restMinor, refund }: Note): void {
    const part = this.#partOf(of)
    const refundedMinor = refund === 'payment' ? restMinor : 0n
    if (refund === 'credit' && restMinor > 0n) this.#hadCredit = true
    const overpaidMinor = refund === 'none' ? restMinor : 0n
    this.#overpaid.set(of.number, (this.#overpaid.get(of.number) ?? 0n) + overpaidMinor)
    this.#givenBackMinor += loweredMinor + refundedMinor + overpaidMinor
    if (part === undefined || (refundedMinor > 0n && of.isPrepaid)) {
      this.#isPeriodExact = false
      return
    }
    part.creditedMinor += lineMinor
    if (refund === 'none') part.unsettledMinor += restMinor
  }

  #refund({ of, amountMinor, isDone, isWhole }: Refund): void {
    const part = this.#partOf(of)
    // The note of a refund covers all lines of a change.
    if (part === undefined || of.isOfChange || !isDone) {
      this.#isPeriodExact = false
      return
    }
    part.refundedMinor += amountMinor
    const noted = part.refundedMinor - part.unsettledMinor
    if (noted > part.notedMinor) {
      part.creditedMinor += noted - part.notedMinor
      part.notedMinor = noted
    }
    if (isWhole) this.#part = undefined
  }

  #cancel(at: Temporal.Instant, unused: 'keep' | 'refund'): void {
    if (this.#canceledAt !== undefined) return
    if (unused === 'refund') {
      const { minor, isExact, roundingMinor } = this.#unused(at)
      const refunded = this.#withTax(minor)
      if (isExact && roundingMinor === 0n && !this.#hadCredit) this.#givenBackMinor += refunded
      else this.#mayGiveBackMinor += refunded + roundingMinor
      this.#part = undefined
    }
    this.#canceledAt = at
    this.#leftUnpaid = { at, periods: this.#periods.length }
    this.#scheduled = undefined
    if (this.#pausedUntil !== undefined) this.#endPause(at)
  }

  #reactivate(at: Temporal.Instant, from: 'now' | 'missed'): void {
    this.#canceledAt = undefined
    this.#notBefore = at
    if (from === 'missed') {
      // The order of the period may have been voided meanwhile.
      if (this.#part !== undefined && this.#model.life.gracePeriod !== null) this.#isExact = false
      return
    }
    this.#hasBegun = true
    this.#anchor = at
    this.#next = 0
    this.#isBilled = false
  }
}

function isAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) > 0
}

function later(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return isAfter(a, b) ? a : b
}

/** Counts local days, none after the end. */
function daysBetween(from: Temporal.Instant, to: Temporal.Instant): bigint {
  const days = zoned(from).toPlainDate().until(zoned(to).toPlainDate()).days
  return BigInt(Math.max(0, days))
}
