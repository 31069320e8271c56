import { type Instant, isAfter, laterOf } from '#kernel/clock'
import { Money } from '#kernel/money'
import { attemptInitiated, attemptFailed, cancelNow, orderPaid, orderVoided } from '../dunning/dunning.ts'
import type { Due, PlanAggregate } from '../plan/plan.ts'
import { advance, nextDue, nextTimelineAt } from '../billing/timeline.ts'
import { withNewOrder } from './plan-aggregates.ts'

/** What happened in a life, as a test tells it. */
export interface Happening {
  readonly at: string
  readonly what: string
}

/** Decides the outcome of an attempt: its order's suffix and its number. */
export type AttemptOutcome = (suffix: number, attempt: number) => 'approve' | 'decline'

/** Lives a plan through its due work in memory, without database and acquirer; every order costs 100 and credit is used. */
export class PlanSimulation {
  aggregate: PlanAggregate
  readonly happenings: Happening[] = []
  /** The beginnings of the periods that were billed. */
  readonly billed: Instant[] = []
  readonly #outcome: AttemptOutcome
  now: Instant

  constructor(aggregate: PlanAggregate, outcome: AttemptOutcome = () => 'approve') {
    this.aggregate = aggregate
    this.#outcome = outcome
    this.now = aggregate.plan.createdAt
  }

  /** Does all that is due at or before `until`, each at its own time. */
  until(until: Instant): void {
    for (;;) {
      const due = nextDue(this.aggregate)
      if (due === null || isAfter(due.at, until)) break
      this.now = laterOf(due.at, this.now)
      this.do(due)
    }
    this.now = laterOf(until, this.now)
  }

  do(due: Due): void {
    if (due.kind === 'void')
      this.change(orderVoided(this.aggregate, due.orderId ?? '', this.now), `void ${this.suffix(due)}`)
    else if (due.kind === 'attempt') this.attempt(due.orderId ?? '')
    else this.timeline()
  }

  timeline(): void {
    const { cancelAt } = this.aggregate.plan
    const until = nextTimelineAt(this.aggregate) ?? this.now
    if (cancelAt !== null && !isAfter(cancelAt, until)) {
      this.change(cancelNow(this.aggregate, this.now), 'cancel')
      return
    }
    const step = advance(this.aggregate, until)
    this.change(step.aggregate, undefined)
    if (step.bill === undefined) return
    this.billed.push(step.bill.start)
    const hundred = Money.ofDecimal('HKD', '100.00')
    const { credit } = this.aggregate.plan
    const made = withNewOrder(this.aggregate, step.bill, credit.lessThan(hundred) ? credit : hundred)
    this.change(made.aggregate, `order ${made.aggregate.plan.lastSuffix}`)
    this.attempt(made.orderId)
  }

  attempt(orderId: string): void {
    const begun = attemptInitiated(this.aggregate, orderId, 'txn', this.now)
    const order = begun.orders.find((candidate) => candidate.orderId === orderId)
    const { suffix = 0, attempts = 0 } = order ?? {}
    if (this.#outcome(suffix, attempts) === 'approve') {
      this.change(orderPaid(begun, orderId, this.now), `paid ${suffix}`)
    } else this.change(attemptFailed(begun, orderId, this.now), `failed ${suffix}`)
  }

  change(aggregate: PlanAggregate, what: string | undefined): void {
    const time = this.now.toString()
    if (what !== undefined) this.happenings.push({ at: time, what })
    for (const event of aggregate.events) {
      const where = 'position' in event ? ` ${event.position}` : ''
      this.happenings.push({ at: time, what: `${event.type}${where}` })
    }
    this.aggregate = { ...aggregate, events: [] }
  }

  suffix(due: Due): number {
    return this.aggregate.orders.find((order) => order.orderId === due.orderId)?.suffix ?? 0
  }

  order(suffix: number): PlanAggregate['orders'][number] {
    const order = this.aggregate.orders.find((candidate) => candidate.suffix === suffix)
    if (order === undefined) throw new Error(`no order ${suffix}`)
    return order
  }

  /** When things of this name happened, such as `order`. */
  times(name: string): string[] {
    return this.happenings.filter(({ what }) => what.startsWith(name)).map((happening) => happening.at)
  }
}
