import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { reasonOf } from '#platform/testing/requests'
import { accepted, type PlanRefusal } from '../errors.ts'
import { cancel, pause, resume } from '../lifecycle/decide-lifecycle.ts'
import { addCredit } from '../credit/credit-plan.ts'
import { orderPaid } from '../dunning/dunning.ts'
import { CARDS, createFixture, planOf, Shop } from '../../billing/testing/fixture.ts'
import { at, HKD, newAggregate } from '../testing/plan-aggregates.ts'
import { type AttemptOutcome, PlanSimulation } from '../testing/plan-simulation.ts'
import type { PlanAggregate } from '../model/plan.ts'

const START = at('2027-01-10T02:00:00Z')
const LATER = at('2027-01-15T00:00:00Z')

/** A plan with 3 attempts 2 days apart: a declining card makes it uncollectible on 14 January. */
function planAt(
  options: { outcome?: AttemptOutcome; gracePeriod?: number | null; billingCount?: number } = {},
  until = LATER,
): PlanSimulation {
  const { outcome = () => 'decline', gracePeriod = 60, billingCount = null } = options
  const plan = new PlanSimulation(
    newAggregate({ start: START, plan: { gracePeriod }, cycles: [{ billingCount }] }),
    outcome,
  )
  plan.runUntil(until)
  return plan
}

function paused(plan: PlanSimulation): PlanSimulation {
  plan.update(pause(plan.aggregate, plan.now))
  return plan
}

function permanentlyUncollectible(plan: PlanSimulation): PlanSimulation {
  plan.runUntil(at('2027-04-01T00:00:00Z'))
  expect(plan.aggregate.plan.permanentlyUncollectible).toBe(true)
  return plan
}

function canceled(plan: PlanSimulation): PlanSimulation {
  plan.update(cancel(plan.aggregate, plan.now, false))
  return plan
}

const approve = { outcome: (): 'approve' => 'approve' }

const PLANS: Readonly<Record<string, () => PlanSimulation>> = {
  upcoming: () => planAt(approve, START.subtract({ hours: 1 })),
  active: () => planAt(approve),
  'past due': () => planAt({}, at('2027-01-11T00:00:00Z')),
  paused: () => paused(planAt(approve)),
  'uncollectible in grace': () => planAt(),
  'uncollectible with endless grace': () => planAt({ gracePeriod: null }),
  'uncollectible in grace, paused': () => paused(planAt()),
  'permanently uncollectible': () => permanentlyUncollectible(planAt()),
  'permanently uncollectible, paused': () => permanentlyUncollectible(paused(planAt())),
  canceled: () => canceled(planAt(approve)),
  'permanently uncollectible, then canceled': () => canceled(permanentlyUncollectible(planAt())),
  completed: () => planAt({ ...approve, billingCount: 1 }, at('2027-04-01T00:00:00Z')),
}

const OPERATIONS = {
  pause: ({ aggregate, now }: PlanSimulation) => pause(aggregate, now),
  resume: ({ aggregate, now }: PlanSimulation) => resume(aggregate, now),
  credit: ({ aggregate }: PlanSimulation) => addCredit(aggregate, HKD('30.00')),
  'cancel at period end': ({ aggregate, now }: PlanSimulation) => cancel(aggregate, now, true),
  'cancel at once': ({ aggregate, now }: PlanSimulation) => cancel(aggregate, now, false),
} as const satisfies Record<string, (plan: PlanSimulation) => PlanAggregate | PlanRefusal>

/** The state after the operation, or the reason why the operation is refused. */
const EXPECTED: readonly (readonly [
  plan: string,
  pause: string,
  resume: string,
  credit: string,
  cancelAtPeriodEnd: string,
  cancelAtOnce: string,
])[] = [
  ['upcoming', 'paused', 'plan_not_paused', 'upcoming', 'canceled', 'canceled'],
  ['active', 'paused', 'plan_not_paused', 'active', 'active', 'canceled'],
  ['past due', 'paused', 'plan_not_paused', 'past_due', 'past_due', 'canceled'],
  ['paused', 'plan_not_pausable', 'active', 'paused', 'paused', 'canceled'],
  ['uncollectible in grace', 'paused', 'plan_not_paused', 'uncollectible', 'uncollectible', 'canceled'],
  ['uncollectible with endless grace', 'paused', 'plan_not_paused', 'uncollectible', 'uncollectible', 'canceled'],
  ['uncollectible in grace, paused', 'plan_not_pausable', 'uncollectible', 'paused', 'paused', 'canceled'],
  ['permanently uncollectible', ...Array<string>(4).fill('plan_permanently_uncollectible'), 'canceled'],
  ['permanently uncollectible, paused', ...Array<string>(4).fill('plan_permanently_uncollectible'), 'canceled'],
  ['canceled', 'plan_not_pausable', 'plan_not_paused', 'plan_ended', 'plan_ended', 'canceled'],
  ['permanently uncollectible, then canceled', 'plan_not_pausable', 'plan_not_paused', 'plan_ended', 'plan_ended', 'canceled'],
  ['completed', 'plan_not_pausable', 'plan_not_paused', 'plan_ended', 'plan_ended', 'completed'],
] as [string, string, string, string, string, string][] // prettier-ignore

const TABLE = EXPECTED.flatMap(([plan, ...results]) =>
  Object.keys(OPERATIONS).map(
    (operation, index) => [plan, operation as keyof typeof OPERATIONS, results[index] ?? ''] as const,
  ),
)

function resultOf(plan: PlanSimulation, operation: keyof typeof OPERATIONS): string {
  try {
    return accepted<PlanAggregate>(OPERATIONS[operation](plan)).plan.state
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    expect(error.status).toBe(409)
    expect(error.message).toMatch(/resume|pause|reactivate|create a new plan/i)
    return error.reason
  }
}

// Proves reference/recurring#pause, reference/recurring#cancel, reference/recurring#credit, reference/recurring#uncollectible.
test('the table covers every plan', () => {
  expect(EXPECTED.map(([plan]) => plan)).toEqual(Object.keys(PLANS))
})

test.each(TABLE)('a plan that is %s: %s leads to %s', (name, operation, result) => {
  const plan = PLANS[name]?.()
  if (plan === undefined) throw new Error(`no plan ${name}`)
  expect(resultOf(plan, operation)).toBe(result)
})

test.each(['canceled', 'completed'])(
  'an immediate cancellation changes nothing of a plan that is %s',
  (name) => {
    const plan = PLANS[name]?.()
    if (plan === undefined) throw new Error(`no plan ${name}`)
    expect(cancel(plan.aggregate, plan.now, false)).toBe(plan.aggregate)
  },
)

test.each(['uncollectible in grace', 'uncollectible with endless grace', 'uncollectible in grace, paused'])(
  'a payment revives a plan that is %s after it was credited, paused and resumed',
  (name) => {
    const plan = PLANS[name]?.()
    if (plan === undefined) throw new Error(`no plan ${name}`)
    plan.update(addCredit(plan.aggregate, HKD('30.00')))
    if (!plan.aggregate.plan.paused) plan.update(pause(plan.aggregate, plan.now))
    plan.update(resume(plan.aggregate, plan.now))
    expect(plan.state).toBe('uncollectible')
    plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now))
    expect(plan.state).toBe('active')
  },
)

const fixture = await createFixture()
const { recurring } = fixture

/** Its only attempt fails on 31 January. */
async function uncollectiblePlan(gracePeriod: number | null) {
  const shop = await Shop.open(fixture, '2031-01-31T02:00:00Z')
  const customer = await shop.customer(CARDS.declining)
  const { id } = await shop.plan(customer, { payment_retry_count: 1, grace_period: gracePeriod })
  await shop.advance('2031-02-01T00:00:00Z')
  expect((await shop.get(id)).state).toBe('uncollectible')
  return { shop, customer, id }
}

test.each([60, null])(
  'a new active token does not revive an uncollectible plan by itself (grace %s)',
  async (grace) => {
    const { shop, customer, id } = await uncollectiblePlan(grace)
    const token = await shop.bind(customer, CARDS.good)
    await shop.advance('2031-03-15T00:00:00Z')
    const [order, ...others] = await shop.orders(id)
    expect(others).toEqual([])
    expect([order?.state, order?.transactions.length]).toEqual(['open', 1])
    expect((await shop.get(id)).state).toBe('uncollectible')
    await shop.pay(order?.number ?? '', token)
    expect((await shop.get(id)).state).toBe('active')
  },
)

test('a permanently uncollectible plan takes an immediate cancellation only, and a second one changes nothing', async () => {
  const { shop, id } = await uncollectiblePlan(1)
  await shop.advance('2031-02-10T00:00:00Z')
  const { caller } = shop
  const refusals = [
    () => recurring.pause(caller, id),
    () => recurring.resume(caller, id),
    () => recurring.credit(caller, id, { amount: 5 }),
    () => recurring.cancel(caller, id, true),
  ]
  for (const refusal of refusals) expect(await reasonOf(refusal())).toBe('plan_permanently_uncollectible')
  const first = planOf(await recurring.cancel(caller, id, false))
  expect(first.state).toBe('canceled')
  const events = await shop.events(id)
  await shop.advance('2031-02-11T00:00:00Z')
  expect(planOf(await recurring.cancel(caller, id, false))).toEqual(first)
  expect(await shop.events(id)).toEqual(events)
  expect(await shop.breaches()).toEqual([])
})
