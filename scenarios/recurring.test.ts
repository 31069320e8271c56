import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Client } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

// The acquirer has three seconds to respond instead of ten.
const { service, client } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '5000' } })

const RECURRING = '/svc/payment/api/v1/openapi/recurring_payments'
const APPROVES = '4242424242424242'
const BINDS_THEN_DECLINES = '4000000000000341'
const STOLEN = '4000000000009979'
const NEITHER_BOOKED_NOR_ANSWERED = '4000000000000119'
const BOOKED_BUT_NEVER_ANSWERED = '4000000000000127'

/** A customer with a card and a plan of one item. By default the plan starts now. */
async function subscribe(
  options: {
    card?: string | null
    price?: number
    currency?: string
    cycles?: Record<string, unknown>[]
    plan?: Record<string, unknown>
  } = {},
) {
  const customer = await client.createCustomer()
  const token =
    options.card === null ? undefined : await client.bindCard(customer.uuid, options.card ?? APPROVES)
  const item = await client.createItem(options.price ?? 100, options.currency)
  const cycles = options.cycles ?? [{ billing_count: null, recurring_billing_config: 'FREQ=MONTHLY' }]
  const plan = await client.createPlan({
    reference_number: `plan-${randomUUID()}`,
    customer_uuid: customer.uuid,
    recurring_cycles: cycles.map((cycle) => ({
      recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      ...cycle,
    })),
    ...options.plan,
  })
  return { customer, token, plan }
}

function ordersOf(plan: { reference_number: string }) {
  return client.orders(`reference_number:"${plan.reference_number}-"`)
}

/** The days of the orders in Hong Kong, the time zone of the sandbox business. */
async function billedDays(plan: { reference_number: string }): Promise<string[]> {
  const orders = await ordersOf(plan)
  return orders.map((order) => localDay(order.created_at))
}

function localDay(instant: string, zone = 'Asia/Hong_Kong'): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** The next start of a day whose midnight daylight saving skips. */
function nextWithoutMidnight(from: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const next = from.getTimeZoneTransition('next')
  if (next === null) throw new Error(`${from.timeZoneId} has no daylight saving`)
  return next.hour === 1 && next.equals(next.startOfDay()) ? next : nextWithoutMidnight(next)
}

/** Advances the sandbox to the next noon of this month and day in Hong Kong. */
async function advanceToNext(month: number, day: number): Promise<Temporal.ZonedDateTime> {
  const now = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong')
  let next = now.with({ month, day, hour: 12, minute: 0, second: 0, millisecond: 0 })
  if (Temporal.ZonedDateTime.compare(next, now) <= 0) next = next.add({ years: 1 })
  await client.advanceTo(next.toInstant().toString())
  return next
}

// First, because an advance also runs the plans of all tests before it.
test('one advance runs a year of a monthly plan with failures and recoveries', async () => {
  const { plan, customer } = await subscribe({
    card: BINDS_THEN_DECLINES,
    plan: { payment_retry_count: 10, payment_retry_day_period: 3 },
  })
  await client.advanceBy('P10D')
  await client.bindCard(customer.uuid, APPROVES, { default: true })
  await client.advanceBy('P350D')
  const orders = await ordersOf(plan)
  expect(orders).toHaveLength(12)
  expect(orders.every((order) => order.state === 'completed')).toBe(true)
  const events = await client.events(plan.id)
  expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
})

// Proves reference/recurring#billing-dates, reference/recurring#proration, reference/recurring#preview.
describe('billing dates', () => {
  test('a monthly plan that starts on 31 January bills on the last day of short months, 29 February included', async () => {
    let start = await advanceToNext(1, 31)
    // The two years of this test must include a 29 February.
    while (!start.add({ years: 1 }).with({ month: 2, day: 1 }).inLeapYear && !start.inLeapYear) {
      start = await advanceToNext(1, 31)
    }
    const { plan } = await subscribe()
    await client.advanceTo(start.add({ months: 24, hours: 1 }).toInstant().toString())
    const expected = Array.from({ length: 25 }, (_, n) => start.toPlainDate().add({ months: n }).toString())
    expect(await billedDays(plan)).toEqual(expected)
    expect(expected.some((day) => day.endsWith('-02-29'))).toBe(true)
    const orders = await ordersOf(plan)
    expect(orders.map((order) => order.reference_number)).toEqual(
      expected.map((_, index) => `${plan.reference_number}-${index + 1}`),
    )
    expect(new Set(orders.map((order) => order.state))).toEqual(new Set(['completed']))
  })

  test('a prorated calendar plan first bills the days before its date, then whole months', async () => {
    const start = await advanceToNext(4, 21)
    const config = await client.ok('POST', `${RECURRING}/billing_configs`, {
      recurring_billing_config: {
        billing_interval: 'month',
        billing_type: 'calendar',
        billing_day_of_month: 1,
        billing_proration_enabled: true,
      },
    })
    const { plan } = await subscribe({
      price: 300,
      cycles: [{ billing_count: 3, recurring_billing_config: config.recurring_billing_config.id }],
    })
    await client.advanceTo(start.add({ months: 4 }).toInstant().toString())
    const orders = await ordersOf(plan)
    // 21 to 30 April are 10 of April's 30 days.
    expect(orders.map((order) => [localDay(order.created_at), order.initial_total])).toEqual([
      [`${start.year}-04-21`, 100],
      [`${start.year}-05-01`, 300],
      [`${start.year}-06-01`, 300],
    ])
    expect(
      orders[0].line_items.map((line: { label: string; total: number }) => [line.label, line.total]),
    ).toEqual([
      ['Membership', 300],
      ['Proration', -200],
    ])
    const [cycle] = (await client.getPlan(plan.id)).recurring_cycles
    expect([cycle.state, cycle.billing_count_created]).toEqual(['completed', 3])
  })

  test('orders keep their local time of day across daylight saving', async () => {
    const sandbox = await createBusiness(service, ['--time-zone', 'America/New_York', '--currency', 'USD'])
    const merchant = new Client(sandbox)
    const now = (await merchant.now()).toZonedDateTimeISO('America/New_York')
    const start = now.add({ days: 1 }).with({ hour: 9, minute: 30, second: 0, millisecond: 0 })
    const customer = await merchant.createCustomer()
    await merchant.bindCard(customer.uuid, APPROVES)
    const item = await merchant.createItem(10, 'USD')
    const plan = await merchant.createPlan({
      reference_number: 'over-daylight-saving',
      customer_uuid: customer.uuid,
      start_date: start.toInstant().toString(),
      recurring_cycles: [
        {
          billing_count: 12,
          recurring_billing_config: 'FREQ=MONTHLY',
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    })
    await merchant.advanceTo(start.add({ months: 12 }).toInstant().toString())
    const orders = await merchant.orders(`reference_number:"${plan.reference_number}-"`)
    const billed = orders.map((order) =>
      Temporal.Instant.from(order.created_at).toZonedDateTimeISO('America/New_York'),
    )
    expect(billed.map((time) => time.toPlainTime().toString({ smallestUnit: 'minute' }))).toEqual(
      Array(12).fill('09:30'),
    )
    expect(new Set(billed.map((time) => time.offset))).toEqual(new Set(['-05:00', '-04:00']))
  })

  test('a plan that starts on a date whose midnight daylight saving skips bills at midnight from the next day on', async () => {
    const zone = 'America/Santiago'
    const merchant = new Client(await createBusiness(service, ['--time-zone', zone, '--currency', 'USD']))
    const start = nextWithoutMidnight((await merchant.now()).toZonedDateTimeISO(zone))
    const customer = await merchant.createCustomer()
    await merchant.bindCard(customer.uuid, APPROVES)
    const items = [{ recurring_item_id: await merchant.createItem(10, 'USD'), quantity: 1 }]
    const planOf = (rule: string) => ({
      name: 'Midnight',
      customer_uuid: customer.uuid,
      start_date: start.toPlainDate().toString(),
      default_collection_method: 'charge_automatically',
      payment_retry_count: 1,
      payment_retry_day_period: 1,
      recurring_cycles: [{ billing_count: null, recurring_billing_config: rule, recurring_items: items }],
    })
    const timesOf = (times: readonly string[]): string[] =>
      times.map((time) => Temporal.Instant.from(time).toZonedDateTimeISO(zone).toPlainTime().toString())

    const daily = await merchant.createPlan({ ...planOf('FREQ=DAILY'), reference_number: 'daily' })
    const monthly = await merchant.createPlan(planOf('FREQ=MONTHLY;BYMONTHDAY=28'))
    const { orders: previewed } = await merchant.ok('POST', `${RECURRING}/plan/preview`, {
      plan: planOf('FREQ=DAILY'),
      count: 3,
    })
    await merchant.advanceTo(start.add({ days: 2 }).toInstant().toString())
    const orders = await merchant.orders(`reference_number:"${daily.reference_number}-"`)

    expect(timesOf(previewed.map(({ date }: { date: string }) => date))).toEqual([
      '01:00:00',
      '00:00:00',
      '00:00:00',
    ])
    expect(orders.map((order) => order.created_at)).toEqual(
      previewed.map(({ date }: { date: string }) => date),
    )
    expect(timesOf([monthly.next_execute_time])).toEqual(['00:00:00'])
  })
})

// Proves reference/recurring#cycles, reference/recurring#amounts.
describe('phases', () => {
  test('a plan bills a free trial, ten discounted months and then the full price', async () => {
    const { plan } = await subscribe({
      price: 200,
      cycles: [
        {
          billing_count: 1,
          recurring_billing_config: 'FREQ=MONTHLY',
          discount_type: 'percentage',
          discount_amount: 100,
        },
        {
          billing_count: 10,
          recurring_billing_config: 'FREQ=MONTHLY',
          discount_type: 'fixed_amount',
          discount_amount: 50,
        },
        { billing_count: null, recurring_billing_config: 'FREQ=MONTHLY' },
      ],
    })
    await client.advanceBy('P13M')
    const orders = await ordersOf(plan)
    expect(orders.map((order) => order.initial_total)).toEqual([0, ...Array(10).fill(150), 200, 200, 200])
    expect(orders[0]).toMatchObject({ state: 'completed', correspondence_state: 'paid', paid_total: '0.00' })
    const { recurring_cycles, state } = await client.getPlan(plan.id)
    expect(recurring_cycles.map((cycle: { state: string }) => cycle.state)).toEqual([
      'completed',
      'completed',
      'active',
    ])
    expect(state).toBe('active')
  })
})

// Proves reference/recurring#retries, reference/recurring#grace, reference/recurring#uncollectible, reference/recurring#hard-declines.
describe('dunning', () => {
  test.each([
    { grace: null, voidedAfterDays: undefined },
    { grace: 0, voidedAfterDays: 0 },
    { grace: 7, voidedAfterDays: 7 },
  ])(
    'attempts end at payment_retry_count, and the order is voided exactly $grace days of grace later',
    async ({ grace, voidedAfterDays }) => {
      const { plan } = await subscribe({
        card: BINDS_THEN_DECLINES,
        plan: { payment_retry_count: 3, payment_retry_day_period: 2, grace_period: grace },
      })
      await client.advanceBy('PT1M')
      const [first] = await ordersOf(plan)
      const start = Temporal.Instant.from(first.created_at)
      expect((await client.getPlan(plan.id)).state).toBe('past_due')
      await client.advanceTo(start.add({ hours: 4 * 24 - 1 }).toString())
      expect((await client.checkOrder(first.number)).transactions).toHaveLength(2)

      await client.advanceTo(
        start
          .add({ hours: 4 * 24 })
          .add({ minutes: 1 })
          .toString(),
      )
      const exhausted = await client.checkOrder(first.number)
      expect(exhausted.transactions).toHaveLength(3)
      expect((await client.getPlan(plan.id)).recurring_cycles[0].state).toBe('uncollectible')

      if (voidedAfterDays === undefined) {
        await client.advanceBy('P60D')
        expect((await client.checkOrder(first.number)).state).toBe('open')
      } else {
        const lastAttempt = start.add({ hours: 4 * 24 })
        const end = lastAttempt.add({ hours: voidedAfterDays * 24 })
        if (voidedAfterDays > 0) {
          await client.advanceTo(end.subtract({ minutes: 1 }).toString())
          expect((await client.checkOrder(first.number)).state).toBe('open')
          await client.advanceTo(end.add({ minutes: 1 }).toString())
        }
        expect((await client.checkOrder(first.number)).state).toBe('voided')
        const voided = (await client.events(first.number)).find((event) => event.type === 'order.voided')
        expect(voided.timestamp).toBe(end.toString({ smallestUnit: 'millisecond' }))
      }
      await client.advanceBy('P60D')
      expect(await ordersOf(plan)).toHaveLength(1)
    },
  )

  test('the next attempt charges a newly bound default card, and the cycle is active again', async () => {
    const { plan, customer } = await subscribe({ card: BINDS_THEN_DECLINES })
    await client.advanceBy('PT1M')
    await client.bindCard(customer.uuid, APPROVES, { default: true })
    const [unpaid] = await ordersOf(plan)
    expect((await client.checkOrder(unpaid.number)).correspondence_state).toBe('unpaid')
    await client.advanceBy('P2D')
    expect(await client.checkOrder(unpaid.number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    expect((await client.getPlan(plan.id)).state).toBe('active')
  })

  test('a payment during grace completes the order, and billing continues on the original dates', async () => {
    const { plan, customer } = await subscribe({
      card: BINDS_THEN_DECLINES,
      plan: { payment_retry_count: 1, grace_period: 10 },
    })
    await client.advanceBy('P3D')
    const [order] = await ordersOf(plan)
    expect((await client.getPlan(plan.id)).state).toBe('uncollectible')
    const good = await client.bindCard(customer.uuid, APPROVES, { default: true })
    expect((await client.pay(order.number, good.token)).status).toBe(200)
    expect((await client.getPlan(plan.id)).state).toBe('active')
    await client.advanceBy('P1M')
    const orders = await ordersOf(plan)
    expect(orders).toHaveLength(2)
    expect(orders[1].state).toBe('completed')
    const anchor = Temporal.Instant.from(orders[0].created_at).toZonedDateTimeISO('Asia/Hong_Kong')
    const second = Temporal.Instant.from(orders[1].created_at).toZonedDateTimeISO('Asia/Hong_Kong')
    expect(second.toPlainDate().toString()).toBe(anchor.toPlainDate().add({ months: 1 }).toString())
  })

  test('after a hard decline the same card is not sent to the acquirer again', async () => {
    const { plan } = await subscribe({
      card: STOLEN,
      plan: { payment_retry_count: 3, payment_retry_day_period: 1 },
    })
    await client.advanceBy('P5D')
    const [order] = await ordersOf(plan)
    const { transactions } = await client.checkOrder(order.number)
    expect(transactions.map((transaction: { success: boolean }) => transaction.success)).toEqual([
      false,
      false,
      false,
    ])
    const sent = transactions.filter(
      (transaction: { payment_data: { new_gateway_txn_id: string } }) =>
        transaction.payment_data.new_gateway_txn_id !== '',
    )
    expect(sent).toHaveLength(1)
    expect((await client.getPlan(plan.id)).state).toBe('uncollectible')
  })

  test('without a token the attempts are recorded as failed without a call', async () => {
    const { plan } = await subscribe({
      card: null,
      plan: { payment_retry_count: 2, payment_retry_day_period: 1 },
    })
    await client.advanceBy('P2D')
    const [order] = await ordersOf(plan)
    const { transactions } = await client.checkOrder(order.number)
    expect(
      transactions.map(
        (transaction: { payment_data: { resp_code: string } }) => transaction.payment_data.resp_code,
      ),
    ).toEqual(['no_payment_token', 'no_payment_token'])
    expect((await client.getPlan(plan.id)).state).toBe('uncollectible')
  })

  test('an unknown outcome that was booked is found by inquiry and charged once', async () => {
    const { plan } = await subscribe({ card: BOOKED_BUT_NEVER_ANSWERED })
    await client.advanceBy('PT2H')
    const [order] = await ordersOf(plan)
    const checked = await client.checkOrder(order.number)
    expect(checked).toMatchObject({ state: 'completed', paid_total: '100.00' })
    expect(checked.transactions).toHaveLength(1)
  })

  test('an unknown outcome that was not booked fails, and the next attempt comes on its date', async () => {
    const { plan } = await subscribe({
      card: NEITHER_BOOKED_NOR_ANSWERED,
      plan: { payment_retry_count: 2, payment_retry_day_period: 2 },
    })
    await client.advanceBy('PT2H')
    const [order] = await ordersOf(plan)
    expect((await client.checkOrder(order.number)).transactions).toMatchObject([
      { success: false, payment_data: { transaction_state: 'failed' } },
    ])
    await client.advanceBy('P2D')
    expect((await client.checkOrder(order.number)).transactions).toHaveLength(2)
  })
})

// Proves reference/recurring#attempts, reference/payments#reservations.
test.each(['is voided', 'lapses'])(
  'an attempt waits for an authorization of the merchant and is made once the authorization %s',
  async (end) => {
    const { customer, plan } = await subscribe({ card: BINDS_THEN_DECLINES })
    await client.advanceBy('PT1M')
    const good = await client.bindCard(customer.uuid, APPROVES, { default: true })
    const [order] = await ordersOf(plan)
    const authorized = await client.pay(order.number, good.token, { type: 'Authorization', amount: 30 })
    expect(authorized.status).toBe(200)
    await client.advanceBy('P3D')
    expect((await client.checkOrder(order.number)).transactions).toHaveLength(2)
    if (end === 'is voided') {
      const { uuid } = authorized.data.transaction
      await client.ok('POST', '/svc/payment/api/v1/openapi/transactions/void', { transaction: { uuid } })
      await client.advanceBy('PT1M')
    } else await client.advanceBy('P5D')
    expect((await client.checkOrder(order.number)).state).toBe('completed')
    expect((await client.getPlan(plan.id)).state).toBe('active')
  },
)

// Proves reference/recurring#recurring-order, reference/recurring#references, reference/recurring#billing-dates.
describe('a plan as a whole', () => {
  test('a recurring order shows its items without the quantity that the plan shows', async () => {
    const { customer, plan } = await subscribe()
    await client.advanceBy('PT1M')
    const [order] = await ordersOf(plan)
    const found = await client.ok('POST', `${RECURRING}/orders`, {
      customer_uuid: customer.uuid,
      order: { number: order.number },
    })
    expect(found.recurring_cycle.recurring_items[0]).toMatchObject({ label: 'Membership', price: 100 })
    expect(found.recurring_cycle.recurring_items[0]).not.toHaveProperty('quantity')
    expect(plan.recurring_cycles[0].recurring_items[0].quantity).toBe(1)
  })

  test('a second plan with the same reference is not created, and the response is the first plan', async () => {
    const { plan, customer } = await subscribe()
    const item = await client.createItem(1)
    const again = {
      name: 'Other',
      reference_number: plan.reference_number,
      customer_uuid: customer.uuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 1,
      payment_retry_day_period: 1,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=DAILY',
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    }
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.call('POST', `${RECURRING}/plan`, { plan: again })),
    )
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, code: 200, message: 'plan has been created' })
      expect(response.data.plan.id).toBe(plan.id)
    }
  })

  test('the first order is made on a running clock, without an advance', async () => {
    const { plan } = await subscribe()
    await expect.poll(() => ordersOf(plan)).toHaveLength(1)
    await expect.poll(async () => (await ordersOf(plan))[0].state).toBe('completed')
  })
})
