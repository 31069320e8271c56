import { type Instant, isAfter, laterOf } from '#kernel/clock'
import { Money } from '#kernel/money'
import { attemptInitiated, attemptFailed, orderPaid, orderVoided } from '../dunning/dunning.ts'
import { accepted, type PlanRefusal } from '../errors.ts'
import type { Due, PlanAggregate, PlanOrder } from '../model/plan.ts'
import { nextDue } from '../timeline/timeline.ts'
import { takeTimelineStep } from '../lifecycle/take-timeline-step.ts'
import { withNewOrder } from './plan-aggregates.ts'

interface SimulatedEvent {
  readonly at: string
  readonly what: string
}

export type AttemptOutcome = (suffix: number, attempt: number) => 'approve' | 'decline'

/** Runs the due steps of a plan in memory, without database and acquirer. Every order costs 100 before credit. */
export class PlanSimulation {
  aggregate: PlanAggregate
  readonly events: SimulatedEvent[] = []
  readonly billedPeriods: Instant[] = []
  readonly #outcome: AttemptOutcome
  now: Instant
  mayCharge = true

  constructor(aggregate: PlanAggregate, outcome: AttemptOutcome = () => 'approve') {
    this.aggregate = aggregate
    this.#outcome = outcome
    this.now = aggregate.plan.createdAt
  }

  get state(): PlanAggregate['plan']['state'] {
    return this.aggregate.plan.state
  }

  runUntil(until: Instant): void {
    for (;;) {
      const due = nextDue(this.aggregate)
      if (due === null || isAfter(due.at, until)) break
      this.now = laterOf(due.at, this.now)
      this.#step(due)
    }
    this.now = laterOf(until, this.now)
  }

  #step({ at, kind, orderId }: Due): void {
    if (kind === 'timeline') return this.#advance(at)
    if (kind === 'attempt') return this.attempt(orderId ?? '')
    const order = this.aggregate.orders.find((candidate) => candidate.orderId === orderId)
    this.update(orderVoided(this.aggregate, orderId ?? '', this.now), `void ${order?.suffix}`)
  }

  #advance(dueAt: Instant): void {
    const { credit } = this.aggregate.plan
    const ground = { at: this.now, hasChargeableToken: this.mayCharge }
    const { aggregate, bill } = takeTimelineStep(this.aggregate, [], dueAt, ground)
    this.update(aggregate)
    if (bill === undefined) return
    this.billedPeriods.push(bill.period.start)
    const price = Money.ofDecimal('HKD', '100.00')
    const billed = withNewOrder(this.aggregate, bill.period, credit.lessThan(price) ? credit : price)
    this.update(billed.aggregate, `order ${billed.aggregate.plan.lastSuffix}`)
    this.attempt(billed.orderId)
  }

  attempt(orderId: string): void {
    const initiated = attemptInitiated(this.aggregate, orderId, 'txn', this.now)
    const order = initiated.orders.find((candidate) => candidate.orderId === orderId)
    const { suffix = 0, attempts = 0 } = order ?? {}
    if (this.#outcome(suffix, attempts) === 'approve') {
      this.update(orderPaid(initiated, orderId, this.now), `paid ${suffix}`)
    } else this.update(attemptFailed(initiated, orderId, this.now), `failed ${suffix}`)
  }

  update(decided: PlanAggregate | PlanRefusal, what?: string): void {
    const aggregate = accepted(decided)
    const at = this.now.toString()
    if (what !== undefined) this.events.push({ at, what })
    for (const event of aggregate.events) {
      const position = 'position' in event ? ` ${event.position}` : ''
      this.events.push({ at, what: `${event.type}${position}` })
    }
    this.aggregate = { ...aggregate, events: [] }
  }

  order(suffix: number): PlanOrder {
    const order = this.aggregate.orders.find((candidate) => candidate.suffix === suffix)
    if (order === undefined) throw new Error(`no order ${suffix}`)
    return order
  }

  times(name: string): string[] {
    return this.events.filter(({ what }) => what.startsWith(name)).map(({ at }) => at)
  }
}
