import { expect, test } from 'vitest'
import { reasonOf, refusalOf } from '#platform/testing/requests'
import { CARDS, createFixture, planOf, type PlanJson, Shop } from '../testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-17T02:00:00Z'
const NONE = 'pln_00000000000000000000000000'

async function shopWithPlan(changes: Parameters<Shop['plan']>[1] = {}, card?: string) {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(card)
  return { shop, customer, plan: await shop.plan(customer, changes) }
}

async function typesOf(shop: Shop, { id }: PlanJson): Promise<string[]> {
  return (await shop.events(id)).map(({ at, type }) => `${at.slice(0, 16)} ${type}`)
}

// Proves reference/billing-lifecycle#uncancel.
test('an uncancel removes cancel_at, and the plan bills its next period', async () => {
  const { shop, plan } = await shopWithPlan({}, CARDS.good)
  await shop.advance('2031-01-20T02:00:00Z')
  expect(await refusalOf(recurring.uncancel(shop.caller, plan.id))).toBe('409 nothing_to_uncancel')
  expect(planOf(await recurring.cancel(shop.caller, plan.id, true)).cancel_at).toBe(
    '2031-02-17T02:00:00.000Z',
  )
  expect(planOf(await recurring.uncancel(shop.caller, plan.id))).not.toHaveProperty('cancel_at')
  await shop.advance('2031-02-18T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('active')
  expect(await shop.orders(plan.id)).toHaveLength(2)
  await recurring.cancel(shop.caller, plan.id, false)
  expect(await refusalOf(recurring.uncancel(shop.caller, plan.id))).toBe('409 nothing_to_uncancel')
  expect(await refusalOf(recurring.uncancel(shop.caller, NONE))).toBe('404 plan_not_found')
  expect(await shop.breaches()).toEqual([])
})

test('of a cancellation and an uncancel at once each has one outcome', async () => {
  const { shop, plan } = await shopWithPlan({}, CARDS.good)
  await shop.advance('2031-01-20T02:00:00Z')
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.all([
      reasonOf(recurring.cancel(shop.caller, plan.id, true)),
      reasonOf(recurring.uncancel(shop.caller, plan.id)),
    ])
    const { cancel_at: cancelAt } = await shop.get(plan.id)
    // Either the uncancel came second and undid the cancellation, or it came first and found none.
    expect([outcomes[1], cancelAt === undefined]).toEqual(
      cancelAt === undefined ? [outcomes[0], true] : ['nothing_to_uncancel', false],
    )
    if (cancelAt !== undefined) await recurring.uncancel(shop.caller, plan.id)
  }
})

// Proves reference/billing-lifecycle#pause-until.
test('a plan paused until a date resumes at its 00:00, and bills the period that begins then', async () => {
  const { shop, plan } = await shopWithPlan({ start_date: '2031-02-01' }, CARDS.good)
  await shop.advance('2031-02-10T02:00:00Z')
  const pause = (until: string) => recurring.pause(shop.caller, plan.id, until)
  expect(await refusalOf(pause('2031-02-10T02:00:00Z'))).toBe('422 until_invalid until')
  expect(await refusalOf(pause('2031-02-10'))).toBe('422 until_invalid until')
  expect(planOf(await pause('2031-04-01'))).toMatchObject({
    state: 'paused',
    pause_until: '2031-03-31T16:00:00.000Z',
  })
  await shop.advance('2031-04-02T02:00:00Z')
  const resumed = await shop.get(plan.id)
  expect(resumed.state).toBe('active')
  expect(resumed).not.toHaveProperty('pause_until')
  const orders = await shop.orders(plan.id)
  expect(orders.map((order) => order.created_at)).toEqual([
    '2031-01-31T16:00:00.000Z',
    '2031-03-31T16:00:00.000Z',
  ])
  expect((await typesOf(shop, plan)).slice(-2)).toEqual([
    '2031-02-10T02:00 plan.paused',
    '2031-03-31T16:00 plan.resumed',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('of a resumption by hand and one by time at once one happens', async () => {
  const { shop, plan } = await shopWithPlan({}, CARDS.good)
  await shop.advance('2031-01-20T02:00:00Z')
  await recurring.pause(shop.caller, plan.id, '2031-01-25')
  await shop.jump('2031-01-25T02:00:00Z')
  await Promise.all([reasonOf(recurring.resume(shop.caller, plan.id)), shop.advance('2031-01-25T02:00:00Z')])
  const resumed = (await shop.events(plan.id)).filter(({ type }) => type === 'plan.resumed')
  expect(resumed).toHaveLength(1)
  expect((await shop.get(plan.id)).state).toBe('active')
})

// Proves reference/billing-lifecycle#trials.
test('a trial bills its first order at its end, in yen, and again a month later', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const items = [{ quantity: 3, recurring_item_id: await shop.item(1_980, 'JPY') }]
  const plan = await shop.plan(customer, {
    trial: { days: 14 },
    recurring_cycles: [await shop.cycle({ recurring_items: items })],
  })
  expect(plan).toMatchObject({
    state: 'upcoming',
    next_execute_time: '2031-01-31T02:00:00.000Z',
    trial: { start: '2031-01-17T02:00:00.000Z', end: '2031-01-31T02:00:00.000Z', state: 'running' },
  })
  await shop.advance('2031-01-31T01:59:59Z')
  expect(await shop.orders(plan.id)).toEqual([])
  await shop.advance('2031-03-01T02:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map((order) => [order.created_at, order.initial_total, order.state])).toEqual([
    ['2031-01-31T02:00:00.000Z', 5_940, 'completed'],
    ['2031-02-28T02:00:00.000Z', 5_940, 'completed'],
  ])
  expect((await typesOf(shop, plan)).slice(0, 4)).toEqual([
    '2031-01-17T02:00 plan.created',
    '2031-01-28T02:00 plan.trial_will_end',
    '2031-01-31T02:00 plan.trial_ended',
    '2031-01-31T02:00 cycle.activated',
  ])
  expect((await shop.get(plan.id)).trial?.state).toBe('converted')
  expect(await shop.breaches()).toEqual([])
})

test('a customer without a token at the end of a trial is billed nothing, unless the merchant wanted it', async () => {
  const expected = [
    ['cancel', 'canceled', 0],
    ['pause', 'paused', 0],
    ['bill', 'past_due', 1],
  ] as const
  for (const [rule, state, orders] of expected) {
    const { shop, plan } = await shopWithPlan({
      trial: { until: '2031-01-20T05:00:00Z', without_token: rule },
    })
    await shop.advance('2031-01-21T02:00:00Z')
    expect((await shop.get(plan.id)).state).toBe(state)
    expect(await shop.orders(plan.id)).toHaveLength(orders)
    expect(await shop.breaches()).toEqual([])
  }
})

test('a trial that paused its plan bills from the resumption, and a card of meanwhile is charged', async () => {
  const { shop, customer, plan } = await shopWithPlan({ trial: { days: 3, without_token: 'pause' } })
  await shop.advance('2031-01-25T02:00:00Z')
  await shop.bind(customer, CARDS.good)
  await shop.jump('2031-01-26T06:30:00Z')
  expect(planOf(await recurring.resume(shop.caller, plan.id))).toMatchObject({
    state: 'active',
    trial: { state: 'converted' },
    next_execute_time: '2031-01-26T06:30:00.000Z',
  })
  await shop.advance('2031-02-27T00:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map((order) => [order.created_at, order.state])).toEqual([
    ['2031-01-26T06:30:00.000Z', 'completed'],
    ['2031-02-26T06:30:00.000Z', 'completed'],
  ])
  expect(await shop.breaches()).toEqual([])
})

test('the end of a trial against the job that bills it gives one outcome', async () => {
  const { shop, plan } = await shopWithPlan({ trial: { days: 3 } }, CARDS.good)
  await shop.jump('2031-01-19T23:59:59.999Z')
  const [moved] = await Promise.all([
    reasonOf(recurring.moveTrial(shop.caller, plan.id, '2031-03-01')),
    shop.advance('2031-01-20T02:00:00Z'),
  ])
  const orders = await shop.orders(plan.id)
  const { trial } = await shop.get(plan.id)
  if (moved === 'no_trial') expect([orders.length, trial?.state]).toEqual([1, 'converted'])
  else expect([orders.length, trial?.end]).toEqual([0, '2031-02-28T16:00:00.000Z'])
})

test('a trial moves to another end, ends now, and only while it runs', async () => {
  const { shop, plan } = await shopWithPlan({ trial: { days: 30 } }, CARDS.good)
  const move = (until: string) => recurring.moveTrial(shop.caller, plan.id, until)
  await shop.advance('2031-01-20T02:00:00Z')
  expect(await refusalOf(move('2042-01-01'))).toBe('422 trial_invalid trial.until')
  expect(planOf(await move('2031-03-01')).trial?.end).toBe('2031-02-28T16:00:00.000Z')
  await move('2031-01-19')
  await shop.advance('2031-01-20T02:00:01Z')
  expect((await shop.get(plan.id)).trial).toMatchObject({
    end: '2031-01-20T02:00:00.000Z',
    state: 'converted',
  })
  expect(await shop.orders(plan.id)).toHaveLength(1)
  expect(await refusalOf(move('2031-03-01'))).toBe('409 no_trial')
  const { shop: other, plan: plain } = await shopWithPlan()
  expect(await refusalOf(recurring.moveTrial(other.caller, plain.id, '2031-03-01'))).toBe('409 no_trial')
  expect(await refusalOf(recurring.moveTrial(other.caller, plan.id, '2031-03-01'))).toBe('404 plan_not_found')
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/billing-lifecycle#trials, reference/billing-lifecycle#terms.
test('trials and terms that make no sense are refused with the member and the reason', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const refusals: [object, string][] = [
    [{ trial: {} }, '400 missing_member plan.trial.days'],
    [{ trial: { days: 3, until: '2031-02-01' } }, '422 trial_invalid plan.trial'],
    [{ trial: { until: '2031-01-17' } }, '422 trial_invalid plan.trial.until'],
    [{ trial: { until: '2042-02-01' } }, '422 trial_invalid plan.trial.until'],
    [{ trial: { days: 3, token_required: true } }, '422 payment_token_missing plan.trial.token_required'],
    [{ terms: { minimum: '12' } }, '422 terms_invalid plan.terms.minimum'],
    [{ terms: { minimum: 'P0M' } }, '422 terms_invalid plan.terms.minimum'],
    [{ terms: { minimum: 'P1MT1H' } }, '422 terms_invalid plan.terms.minimum'],
    [{ terms: { minimum: 'P101Y' } }, '422 terms_invalid plan.terms.minimum'],
    [{ terms: { minimum: 'P1M', notice: '-P1D' } }, '422 terms_invalid plan.terms.notice'],
    [{ terms: { minimum: 'P1M', renewal: 'P0D' } }, '422 terms_invalid plan.terms.renewal'],
  ]
  for (const [changes, refusal] of refusals)
    expect(await refusalOf(shop.plan(customer, changes))).toBe(refusal)
})

test("a plan shows its terms, and a cancellation at the period's end keeps to them", async () => {
  const terms = { minimum: 'P3M', notice: 'P1M' }
  const { shop, plan } = await shopWithPlan({ terms, trial: { days: 14 } }, CARDS.good)
  expect(plan.terms).toEqual(terms)
  await shop.advance('2031-04-05T02:00:00Z')
  expect(planOf(await recurring.cancel(shop.caller, plan.id, true)).cancel_at).toBe(
    '2031-05-31T02:00:00.000Z',
  )
  await shop.advance('2031-06-01T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('canceled')
  expect(await shop.orders(plan.id)).toHaveLength(4)
})

test('a preview begins with the end of the trial', async () => {
  const shop = await Shop.open(fixture, START)
  const body = {
    name: 'Gold',
    customer_uuid: await shop.customer(),
    default_collection_method: 'charge_automatically' as const,
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    trial: { days: 14 },
    terms: { minimum: 'P1Y' },
    recurring_cycles: [await shop.cycle()],
  }
  const { orders } = await recurring.preview(shop.caller, body, 2)
  expect(JSON.parse(JSON.stringify(orders.map(({ date }) => date)))).toEqual([
    '2031-01-31T02:00:00.000Z',
    '2031-02-28T02:00:00.000Z',
  ])
})
