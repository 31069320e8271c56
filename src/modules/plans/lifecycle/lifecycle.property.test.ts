import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAfter } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { accepted } from '../errors.ts'
import { cancel, pause, resume, uncancel } from './decide-lifecycle.ts'
import { orderPaid, orderVoided } from '../dunning/dunning.ts'
import { currentCycle, cycleAt, isOpen } from '../model/plan.ts'
import { at, newAggregate } from '../testing/plan-aggregates.ts'
import { PlanSimulation } from '../testing/plan-simulation.ts'
import { withTrialEnd } from './move-trial.ts'
import { readTrial } from '../plan/read-lifecycle.ts'
import { reactivate } from './reactivation/reactivate.ts'

const START = at('2027-01-10T02:00:00Z')

type Move =
  | { readonly kind: 'wait' | 'pause_for' | 'move_trial'; readonly days: number }
  | { readonly kind: 'pay' | 'void'; readonly suffix: number }
  | {
      readonly kind:
        | 'pause'
        | 'resume'
        | 'cancel'
        | 'cancel_later'
        | 'uncancel'
        | 'now'
        | 'missed'
        | 'bind'
        | 'unbind'
    }

const days = fc.integer({ min: 1, max: 45 })

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), days }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pause_for' as const, 'move_trial' as const), days }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pay' as const, 'void' as const),
      suffix: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pause' as const, 'resume' as const, 'cancel' as const, 'cancel_later' as const, 'uncancel' as const,
        'now' as const, 'missed' as const, 'bind' as const, 'unbind' as const,
      ),
    }),
  },
) // prettier-ignore

function apply(plan: PlanSimulation, step: Move): void {
  const { aggregate, now } = plan
  switch (step.kind) {
    case 'wait':
      return plan.runUntil(now.add({ hours: 24 * step.days }))
    case 'pause_for':
      return plan.update(pause(aggregate, now, now.add({ hours: 24 * step.days })))
    case 'move_trial':
      return plan.update(withTrialEnd(aggregate, now.add({ hours: 24 * (step.days - 10) }).toString(), now))
    case 'pay':
    case 'void': {
      const order = aggregate.orders.find(({ suffix }) => suffix === step.suffix)
      if (order === undefined || !isOpen(order)) return
      const decide = step.kind === 'pay' ? orderPaid : orderVoided
      return plan.update(decide(aggregate, order.orderId, now))
    }
    case 'pause':
      return plan.update(pause(aggregate, now))
    case 'resume':
      return plan.update(resume(aggregate, now))
    case 'cancel':
      return plan.update(cancel(aggregate, now, false))
    case 'cancel_later':
      return plan.update(cancel(aggregate, now, true))
    case 'uncancel':
      return plan.update(uncancel(aggregate, now))
    case 'now':
      // A new period begins now, even if the period that the cancellation ended was billed at the same moment.
      if (plan.billedPeriods.at(-1)?.equals(now) === true) return
      return plan.update(accepted(reactivate(aggregate, step.kind, now)).aggregate)
    case 'missed':
      return plan.update(accepted(reactivate(aggregate, step.kind, now)).aggregate)
    case 'bind':
    case 'unbind':
      plan.mayCharge = step.kind === 'bind'
  }
}

function checkInvariants({ aggregate, billedPeriods }: PlanSimulation): void {
  const { plan, cycles, orders } = aggregate
  const { trial } = plan
  expect(plan.state).toBe(cycles[plan.currentCycle]?.state)
  expect(plan.suspendedAt !== null).toBe(plan.paused || plan.uncollectible)
  if (plan.pauseUntil !== null) expect(plan.paused).toBe(true)
  if (plan.state === 'canceled') expect([plan.cancelAt, plan.pauseUntil]).toEqual([null, null])
  if (trial?.state === 'running' || trial?.state === 'ended') {
    expect(currentCycle(aggregate).start).toBeNull()
    expect(['upcoming', 'paused']).toContain(plan.state)
  } else expect(trial?.noticeAt ?? null).toBeNull()
  if (trial?.state === 'ended') expect(plan.paused).toBe(true)
  for (const cycle of cycles) {
    const made = orders.filter(({ cyclePosition }) => cyclePosition === cycle.position)
    expect(made).toHaveLength(cycle.ordersCreated)
    if (cycle.billingCount !== null) expect(cycle.ordersCreated).toBeLessThanOrEqual(cycle.billingCount)
    if (cycle.state === 'upcoming') expect(cycle.start).toBeNull()
    if (cycle.position < plan.currentCycle) expect(cycle.state).not.toBe('upcoming')
  }
  for (const order of orders) {
    const isOver = plan.state === 'canceled' || cycleAt(aggregate, order.cyclePosition).state === 'canceled'
    if (isOver) expect(order.nextAttemptAt).toBeNull()
    if (isOpen(order) && order.retriesExhausted) expect(plan.uncollectible || isOver).toBe(true)
  }
  for (const [index, period] of billedPeriods.entries()) {
    const before = billedPeriods[index - 1]
    if (before !== undefined) expect(isAfter(period, before)).toBe(true)
  }
  expect(orders).toHaveLength(billedPeriods.length)
}

// Proves reference/billing-lifecycle.
test('after any sequence of trials, pauses, ends and returns a plan agrees with itself and bills no period twice', () => {
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 30 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.constantFrom(
        null,
        { days: 20 },
        { days: 20, without_token: 'pause' as const },
        { days: 3, without_token: 'bill' as const },
      ),
      fc.constantFrom(null, { minimum: 'P2M', notice: 'P10D', renewal: null }),
      (moves, outcomes, newTrial, terms) => {
        const ground = { startAt: START, localTime: new Temporal.PlainTime(10), zone: 'Asia/Hong_Kong' }
        const given = newAggregate({
          start: START,
          cycles: [{ billingCount: 2 }, { billingCount: 3 }, {}],
          plan: { ...(newTrial !== null && readTrial(newTrial, ground)), terms },
        })
        const plan = new PlanSimulation(given, (suffix, attempt) =>
          outcomes[(suffix * 3 + attempt) % 8] === true ? 'approve' : 'decline',
        )
        for (const step of moves) {
          try {
            apply(plan, step)
          } catch (error) {
            // A conflict is a valid reply.
            if (!(error instanceof RequestError)) throw error
          }
          checkInvariants(plan)
        }
      },
    ),
    { numRuns: 500 },
  )
})
