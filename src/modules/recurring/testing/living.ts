import { type Instant, isAfter, laterOf } from '#kernel/clock'
import { Money } from '#kernel/money'
import { attemptBegun, attemptFailed, cancelNow, orderPaid, orderVoided } from '../dunning/dunning.ts'
import type { Due, Life } from '../plan/plan.ts'
import { advance, nextDue, nextTimelineAt } from '../billing/timeline.ts'
import { withNewOrder } from './lives.ts'

/** What happened in a life, as a test tells it. */
export interface Happening {
  readonly at: string
  readonly what: string
}

/** Decides the outcome of an attempt: its order's suffix and its number. */
export type AttemptOutcome = (suffix: number, attempt: number) => 'approve' | 'decline'

/** Lives a plan through its due work in memory, without database and acquirer; every order costs 100 and credit is used. */
export class Living {
  life: Life
  readonly happenings: Happening[] = []
  /** The beginnings of the periods that were billed. */
  readonly billed: Instant[] = []
  readonly #outcome: AttemptOutcome
  now: Instant

  constructor(life: Life, outcome: AttemptOutcome = () => 'approve') {
    this.life = life
    this.#outcome = outcome
    this.now = life.plan.createdAt
  }

  /** Does all that is due at or before `until`, each at its own time. */
  until(until: Instant): void {
    for (;;) {
      const due = nextDue(this.life)
      if (due === null || isAfter(due.at, until)) break
      this.now = laterOf(due.at, this.now)
      this.do(due)
    }
    this.now = laterOf(until, this.now)
  }

  do(due: Due): void {
    if (due.kind === 'void')
      this.change(orderVoided(this.life, due.orderId ?? '', this.now), `void ${this.suffix(due)}`)
    else if (due.kind === 'attempt') this.attempt(due.orderId ?? '')
    else this.timeline()
  }

  timeline(): void {
    const { cancelAt } = this.life.plan
    const until = nextTimelineAt(this.life) ?? this.now
    if (cancelAt !== null && !isAfter(cancelAt, until)) {
      this.change(cancelNow(this.life, this.now), 'cancel')
      return
    }
    const step = advance(this.life, until)
    this.change(step.life, undefined)
    if (step.bill === undefined) return
    this.billed.push(step.bill.start)
    const hundred = Money.ofDecimal('HKD', '100.00')
    const { credit } = this.life.plan
    const made = withNewOrder(this.life, step.bill, credit.lessThan(hundred) ? credit : hundred)
    this.change(made.life, `order ${made.life.plan.lastSuffix}`)
    this.attempt(made.orderId)
  }

  attempt(orderId: string): void {
    const begun = attemptBegun(this.life, orderId, 'txn', this.now)
    const order = begun.orders.find((candidate) => candidate.orderId === orderId)
    const { suffix = 0, attempts = 0 } = order ?? {}
    if (this.#outcome(suffix, attempts) === 'approve') {
      this.change(orderPaid(begun, orderId, this.now), `paid ${suffix}`)
    } else this.change(attemptFailed(begun, orderId, this.now), `failed ${suffix}`)
  }

  change(life: Life, what: string | undefined): void {
    const time = this.now.toString()
    if (what !== undefined) this.happenings.push({ at: time, what })
    for (const event of life.events) {
      const where = 'position' in event ? ` ${event.position}` : ''
      this.happenings.push({ at: time, what: `${event.type}${where}` })
    }
    this.life = { ...life, events: [] }
  }

  suffix(due: Due): number {
    return this.life.orders.find((order) => order.orderId === due.orderId)?.suffix ?? 0
  }

  order(suffix: number): Life['orders'][number] {
    const order = this.life.orders.find((candidate) => candidate.suffix === suffix)
    if (order === undefined) throw new Error(`no order ${suffix}`)
    return order
  }

  /** When things of this name happened, such as `order`. */
  times(name: string): string[] {
    return this.happenings.filter(({ what }) => what.startsWith(name)).map((happening) => happening.at)
  }
}
