import { expect, test } from 'vitest'
import type { NewCycle } from '#modules/plans'
import { toRfc3339 } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { refusalOf, withKey } from '#platform/testing/requests'
import { bindCard } from '../../customers/testing/fixture.ts'
import { openInvoiceShop } from '../testing/invoices.ts'
import { asJson, CARDS, createFixture, Shop } from '../testing/fixture.ts'
import type { PlanChangeRequest } from './change-request.ts'

// Proves reference/billing-changes#paid-first.
/** A busy machine takes its time for what the acquirer says at once. */
const fixture = await createFixture({ silenceMs: 3_000 })
const { recurring } = fixture

const START = '2027-03-01T02:00:00Z'
const MIDDLE = '2027-03-16T02:00:00Z'

/** A plan of 31.00 EUR that is changed in the middle of March, by another card than the one that paid the period. */
async function planInMarch(card: string | null, cycle: Partial<NewCycle> = {}) {
  const shop = await Shop.open(fixture, START)
  const item = async (amount: number) => ({ quantity: 1, recurring_item_id: await shop.item(amount, 'EUR') })
  const customer = await shop.customer(CARDS.good)
  const plan = await shop.plan(customer, {
    recurring_cycles: [await shop.cycle({ recurring_items: [await item(31)], ...cycle })],
  })
  await shop.advance(START)
  await shop.advance(MIDDLE)
  if (card === CARDS.threeDSecure) await bindChallenged(shop, customer)
  else if (card !== null) await shop.bind(customer, card)
  const request = async (amount: number, more: PlanChangeRequest = {}) => ({
    recurring_items: [await item(amount)],
    only_if_paid: true,
    ...more,
  })
  const change = async (sent: PlanChangeRequest) =>
    asJson(await recurring.changePaidFirst(shop.caller, plan.id, sent))
  const to = async (amount: number, more?: PlanChangeRequest) => change(await request(amount, more))
  const itemsNow = async () => {
    const { recurring_cycles } = await shop.get(plan.id)
    return recurring_cycles.map(({ recurring_items }) => recurring_items.map(({ price }) => Number(price)))
  }
  const eventTypes = async () => (await shop.events(plan.id)).map(({ type }) => type)
  return { shop, planId: plan.id, customer, item, request, change, to, itemsNow, eventTypes }
}

async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof RequestError)) throw error ?? new Error('nothing was refused')
  return asJson({ status: error.status, reason: error.reason, data: error.detail.data })
}

async function confirm(key: string): Promise<void> {
  const response = await fetch(`${fixture.simulator.url}/payments/${key}/confirm`, {
    method: 'POST',
    body: '{}',
  })
  expect(response.status).toBe(200)
}

/** The payer confirms the card when it is stored, and again when it is charged. */
async function bindChallenged(shop: Shop, customerUuid: string): Promise<void> {
  const { token } = await bindCard(fixture, shop.caller, customerUuid, CARDS.threeDSecure, { default: true })
  const { rows } = await fixture.admin.query<{ verify_uuid: string }>(
    'select verify_uuid from payment_tokens where token = $1',
    [token],
  )
  await confirm(rows[0]?.verify_uuid ?? '')
  await shop.advance(shop.now.add({ seconds: 5 }).toString())
}

test('a change whose order is paid takes place as it was priced, and the plan is billed by it', async () => {
  const { shop, planId, to, itemsNow, eventTypes } = await planInMarch(null)
  const before = await eventTypes()
  const done = await to(62)
  expect(done.change).toMatchObject({ state: 'applied', remaining: 16, whole: 31, total: 16 })
  expect(done.order).toMatchObject({ state: 'completed', initial_total: 16, billing: { kind: 'change' } })
  expect(done.plan.pending_change).toBeUndefined()
  expect(done.plan.current_order?.order_number).toBe(done.order?.number)
  expect(await itemsNow()).toEqual([[62]])
  expect((await eventTypes()).slice(before.length)).toEqual(['plan.changed'])
  await shop.advance('2027-04-01T03:00:00Z')
  const totals = (await shop.orders(planId)).map(({ initial_total, state }) => [initial_total, state])
  expect(totals).toEqual([
    [31, 'completed'],
    [16, 'completed'],
    [62, 'completed'],
  ])
  expect(await shop.breaches()).toEqual([])
})

test('a declined change is voided with the decline, and leaves the plan as it was', async () => {
  const { shop, planId, customer, request, change, itemsNow, eventTypes } = await planInMarch(CARDS.declining)
  await recurring.credit(shop.caller, planId, { amount: 5 })
  const { updated_at: _, ...plan } = await shop.get(planId)
  const before = await eventTypes()
  const declined = await failure(change(await request(62)))
  expect(declined).toMatchObject({
    status: 402,
    reason: 'payment_declined',
    data: { order: { state: 'voided', initial_total: 11 }, transaction: { success: false } },
  })
  const { updated_at: __, ...after } = await shop.get(planId)
  expect(after).toEqual(plan)
  expect(await itemsNow()).toEqual([[31]])
  expect(await eventTypes()).toEqual(before)
  await shop.bind(customer, CARDS.good)
  const done = asJson(await recurring.changePaidFirst(shop.caller, planId, await request(62)))
  expect(done).toMatchObject({ change: { total: 11 }, order: { state: 'completed' }, plan: { credit: 0 } })
  expect(await shop.breaches()).toEqual([])
})

test('a change whose payer must confirm waits up to 23 hours, takes no other change, and takes place once paid', async () => {
  const { shop, planId, request, change, itemsNow, eventTypes } = await planInMarch(CARDS.threeDSecure)
  const before = await eventTypes()
  const waiting = await failure(change(await request(62)))
  expect(waiting).toMatchObject({ status: 402, reason: 'payment_action_required' })
  expect(waiting.data).toMatchObject({ verify_url: expect.stringMatching(/^http/) as string })
  const { pending_change } = await shop.get(planId)
  expect(pending_change).toMatchObject({
    state: 'awaiting_payment',
    until: toRfc3339(shop.now.add({ hours: 23 })),
  })
  expect(await itemsNow()).toEqual([[31]])
  for (const other of [{}, { at: 'period_end' }] as const) {
    const sent = { ...(await request(93)), only_if_paid: false, ...other }
    expect(await refusalOf(recurring.change(shop.caller, planId, sent))).toBe('409 change_pending')
  }
  const [, order] = await shop.orders(planId)
  expect(order?.number).toBe(pending_change?.order_number)
  await shop.advance(shop.now.add({ hours: 2 }).toString())
  await confirm(order?.transactions[0]?.uuid ?? '')
  await shop.advance(shop.now.add({ hours: 4 }).toString())
  expect((await shop.orders(planId))[1]).toMatchObject({ state: 'completed', initial_total: 16 })
  expect(await itemsNow()).toEqual([[62]])
  expect((await eventTypes()).slice(before.length)).toEqual(['plan.change_scheduled', 'plan.changed'])
  expect(await shop.breaches()).toEqual([])
})

test('an order that is not paid in time is voided, and the change removed', async () => {
  const { shop, planId, request, change, itemsNow, eventTypes } = await planInMarch(CARDS.threeDSecure)
  await failure(change(await request(62)))
  await shop.advance(shop.now.add({ hours: 23, minutes: 1 }).toString())
  const plan = await shop.get(planId)
  expect(plan.pending_change).toBeUndefined()
  expect((await shop.orders(planId))[1]?.state).toBe('voided')
  expect(await itemsNow()).toEqual([[31]])
  expect((await eventTypes()).slice(-2)).toEqual(['plan.change_scheduled', 'plan.change_removed'])
  expect(await shop.breaches()).toEqual([])
})

test('a period that ends while a change waits voids its order and the change', async () => {
  const { shop, planId, request, change, itemsNow } = await planInMarch(CARDS.threeDSecure)
  await shop.advance('2027-03-31T10:00:00Z')
  await failure(change(await request(62)))
  expect((await shop.get(planId)).pending_change?.until).toBe('2027-04-01T02:00:00.000Z')
  await shop.advance('2027-04-01T02:00:05Z')
  const orders = await shop.orders(planId)
  expect(orders.map(({ initial_total, state }) => [initial_total, state])).toEqual([
    [31, 'completed'],
    [1, 'voided'],
    [31, 'open'],
  ])
  expect(await itemsNow()).toEqual([[31]])
  expect(await shop.breaches()).toEqual([])
})

test('the removal of a change that waits, a pause and a cancellation void its order', async () => {
  const acts = {
    remove: (shop: Shop, id: string) => recurring.removeChange(shop.caller, id),
    pause: (shop: Shop, id: string) => recurring.pause(shop.caller, id),
    cancel: (shop: Shop, id: string) => recurring.cancel(shop.caller, id, false),
    'cancel at the end': (shop: Shop, id: string) => recurring.cancel(shop.caller, id, true),
    'cancel and refund': (shop: Shop, id: string) =>
      recurring.cancelAsAsked(shop.caller, id, { unused: 'refund' }),
  }
  for (const [name, act] of Object.entries(acts)) {
    const { shop, planId, request, change, itemsNow, eventTypes } = await planInMarch(CARDS.threeDSecure)
    await failure(change(await request(62)))
    const [, order] = await shop.orders(planId)
    await act(shop, planId)
    expect((await shop.get(planId)).pending_change, name).toBeUndefined()
    await shop.advance(shop.now.add({ minutes: 5 }).toString())
    expect((await shop.orders(planId)).find(({ number }) => number === order?.number)?.state, name).toBe(
      'voided',
    )
    expect(
      (await eventTypes()).filter((type) => type === 'plan.change_removed'),
      name,
    ).toHaveLength(1)
    expect(await itemsNow(), name).toEqual([[31]])
    expect(await shop.breaches(), name).toEqual([])
  }
})

test('a change that is removed while its payment is under way is refused, and the payment voided', async () => {
  const { shop, planId, to, itemsNow } = await planInMarch(CARDS.good)
  const real = fixture.between.acquirer
  fixture.between.acquirer = {
    ...real,
    sale: async (charge) => {
      const outcome = await real.sale(charge)
      await recurring.removeChange(shop.caller, planId)
      return outcome
    },
  }
  const refused = await failure(to(62))
  fixture.between.acquirer = real
  expect(refused).toMatchObject({ status: 409, reason: 'plan_not_changeable' })
  await shop.advance(shop.now.add({ minutes: 5 }).toString())
  const [, order] = await shop.orders(planId)
  expect(order).toMatchObject({ state: 'voided', paid_total: '0.00' })
  expect(await itemsNow()).toEqual([[31]])
  expect(await shop.breaches()).toEqual([])
})

test('an unknown outcome is 504, and the change follows the outcome that is found', async () => {
  for (const [card, state, items] of [
    [CARDS.silentBooked, 'completed', [[62]]],
    [CARDS.silentUnbooked, 'voided', [[31]]],
  ] as const) {
    const { shop, planId, request, change, itemsNow } = await planInMarch(card)
    expect(await failure(change(await request(62)))).toMatchObject({ status: 504, reason: 'outcome_unknown' })
    expect((await shop.get(planId)).pending_change).toMatchObject({ state: 'awaiting_payment' })
    await shop.advance(shop.now.add({ hours: 2 }).toString())
    expect((await shop.orders(planId))[1]?.state).toBe(state)
    expect(await itemsNow()).toEqual(items)
    expect(await shop.breaches()).toEqual([])
  }
})

test('a change that is removed while its outcome is unknown is refused, also when the request is repeated', async () => {
  for (const removal of ['while it is asked', 'after the reply'] as const) {
    const { shop, planId, request, itemsNow } = await planInMarch(CARDS.silentUnbooked)
    const sent = await request(62)
    const keyed = withKey(shop.caller, `removed ${removal}`)
    const remove = () => recurring.removeChange(shop.caller, planId)
    const real = fixture.between.acquirer
    fixture.between.acquirer = {
      ...real,
      sale: async (charge) => {
        const outcome = await real.sale(charge)
        if (removal === 'while it is asked') await remove()
        return outcome
      },
    }
    const first = await failure(recurring.changePaidFirst(keyed, planId, sent))
    fixture.between.acquirer = real
    expect(first.status, removal).toBe(removal === 'while it is asked' ? 409 : 504)
    if (removal === 'after the reply') await remove()
    await shop.advance(shop.now.add({ hours: 2 }).toString())
    expect((await shop.orders(planId))[1]).toMatchObject({ state: 'voided', paid_total: '0.00' })
    const repeated = await recurring.changePaidFirst(keyed, planId, sent).catch((error: unknown) => error)
    expect(repeated).toBeInstanceOf(StoredReply)
    expect((repeated as StoredReply).body, removal).toContain('plan_not_changeable')
    expect(await itemsNow()).toEqual([[31]])
    expect(await shop.breaches()).toEqual([])
  }
})

test('a change without anything to pay takes place at once, and one without a token is refused', async () => {
  const { shop, planId, customer, to, itemsNow } = await planInMarch(null)
  expect(await to(15.5)).toMatchObject({
    change: { total: 0, credit_added: 8 },
    order: { state: 'completed' },
  })
  expect(await itemsNow()).toEqual([[15.5]])
  await fixture.customers.deleteToken(
    shop.caller,
    customer,
    (await shop.get(planId)).default_payment_token ?? '',
  )
  expect(await failure(to(93))).toMatchObject({ status: 402, reason: 'no_payment_token' })
  expect(await shop.orders(planId)).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

test('members that exclude a payment first, and an unpaid order of the plan, are refused', async () => {
  const { shop, planId, customer, request, change } = await planInMarch(CARDS.declining)
  for (const more of [{ at: 'period_end' }, { proration: 'next_order' }, { proration: 'none' }] as const) {
    expect(await refusalOf(change(await request(62, more)))).toMatch('422 change_inconsistent')
  }
  await shop.advance('2027-04-02T02:00:00Z')
  expect(await refusalOf(change(await request(62)))).toBe('409 plan_not_changeable change.only_if_paid')
  const token = (await shop.get(planId)).default_payment_token ?? ''
  await fixture.customers.deleteToken(shop.caller, customer, token)
  expect(await refusalOf(change(await request(62)))).toBe('402 no_payment_token')
  expect(await shop.orders(planId)).toHaveLength(2)
})

test('another interval begins once its first period is paid, and counts it', async () => {
  const { shop, planId, to } = await planInMarch(null, { billing_count: 12 })
  const done = await to(372, {
    recurring_billing_config: 'FREQ=YEARLY',
    billing_count: 2,
  })
  expect(done.order).toMatchObject({ state: 'completed', initial_total: 356 })
  const { recurring_cycles } = await shop.get(planId)
  expect(recurring_cycles.map(({ state, billing_count_created }) => [state, billing_count_created])).toEqual([
    ['completed', 1],
    ['active', 1],
  ])
  await shop.advance('2028-03-16T03:00:00Z')
  expect((await shop.orders(planId)).map(({ initial_total }) => initial_total)).toEqual([31, 356, 372])
  expect(await shop.breaches()).toEqual([])
})

test('a repeated request gets the reply of the first, and charges nothing more', async () => {
  const { shop, planId, request } = await planInMarch(null)
  const sent = await request(62)
  const keyed = withKey(shop.caller, 'change-1')
  const first = asJson(await recurring.changePaidFirst(keyed, planId, sent))
  await expect(recurring.changePaidFirst(keyed, planId, sent)).rejects.toBeInstanceOf(StoredReply)
  expect(first.order?.state).toBe('completed')
  expect(await shop.orders(planId)).toHaveLength(2)
})

test('the invoice is issued once the order is paid, so that a decline takes no number', async () => {
  const { shop, caller, plan, price, customer, documents, typesOf } = await openInvoiceShop(fixture, START)
  const { id } = await plan([await price(31)])
  await shop.advance(START)
  await shop.advance(MIDDLE)
  const request = {
    recurring_items: [{ quantity: 1, recurring_item_id: await price(62) }],
    only_if_paid: true,
  }
  await shop.bind(customer, CARDS.declining)
  expect(await failure(recurring.changePaidFirst(caller, id, request))).toMatchObject({
    reason: 'payment_declined',
  })
  expect(await documents()).toHaveLength(1)
  await shop.bind(customer, CARDS.good)
  const done = asJson(await recurring.changePaidFirst(caller, id, request))
  const [, invoice] = await documents()
  expect(invoice).toMatchObject({
    number: 'INV-2027-000002',
    state: 'paid',
    amount_due: 0,
    order_number: done.order?.number,
  })
  expect(Number(invoice?.total)).toBe(Number(done.order?.initial_total))
  expect(done.order?.billing).toMatchObject({ invoice_id: invoice?.id, invoice_number: invoice?.number })
  expect(await typesOf(invoice?.id ?? '')).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await shop.breaches()).toEqual([])
})

test('the process dies before it learns the outcome: the change follows it, and a repetition gets its reply', async () => {
  const { shop, planId, request, itemsNow } = await planInMarch(null)
  const sent = await request(62)
  const keyed = withKey(shop.caller, 'change-2')
  const silence = Promise.withResolvers<never>()
  const real = fixture.between.acquirer
  const asked = Promise.withResolvers<void>()
  fixture.between.acquirer = {
    ...real,
    sale: async (charge) => {
      await real.sale(charge)
      asked.resolve()
      return silence.promise
    },
  }
  const died = recurring.changePaidFirst(keyed, planId, sent).catch(() => undefined)
  await asked.promise
  fixture.between.acquirer = real
  expect(await refusalOf(recurring.changePaidFirst(keyed, planId, sent))).toBe('409 idempotency_key_in_use')
  await fixture.endLeases()
  await shop.advance(shop.now.add({ minutes: 10 }).toString())
  expect((await shop.orders(planId))[1]?.state).toBe('completed')
  expect(await itemsNow()).toEqual([[62]])
  const reply = await recurring.changePaidFirst(keyed, planId, sent).catch((error: unknown) => error)
  expect(reply).toBeInstanceOf(StoredReply)
  expect(JSON.parse((reply as StoredReply).body)).toMatchObject({
    code: 200,
    data: { change: { state: 'applied', remaining: 16, total: 16 }, order: { state: 'completed' } },
  })
  silence.reject(new Error('the process died'))
  await died
  expect(await shop.breaches()).toEqual([])
})

test("a reissue of the period's invoice leaves a change that waits for its payer as it was priced", async () => {
  const { shop, caller, customer, taxes, plan, price, documents } = await openInvoiceShop(fixture, START)
  const [small, middle, large] = [await price(31), await price(62), await price(124)]
  const { id } = await plan([small])
  await shop.advance(START)
  await shop.advance(MIDDLE)
  const to = (item: string) => ({
    recurring_items: [{ quantity: 1, recurring_item_id: item }],
    only_if_paid: true,
  })
  await bindChallenged(shop, customer)
  expect(await failure(recurring.changePaidFirst(caller, id, to(middle)))).toMatchObject({
    reason: 'payment_action_required',
  })
  const waiting = (await shop.orders(id)).at(-1)
  await taxes.editDetails(caller, customer, {
    address: { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' },
    tax_ids: [{ type: 'vat', value: 'ATU13585627' }],
  })
  const [period] = await documents()
  const { invoice: reissued } = await fixture.invoices.reissue(caller, period?.id ?? '', undefined)
  expect(asJson(reissued)).toMatchObject({ state: 'paid', total: 31, overpaid: 5.89 })
  expect((await shop.get(id)).pending_change).toMatchObject({ order_number: waiting?.number })
  await confirm(waiting?.transactions[0]?.uuid ?? '')
  await shop.advance(shop.now.add({ hours: 2 }).toString())
  const changed = await shop.get(id)
  expect(changed.pending_change).toBeUndefined()
  expect(changed.recurring_cycles[0]?.recurring_items.map(({ price: each }) => Number(each))).toEqual([62])
  const issued = (await documents()).at(-1)
  expect(issued).toMatchObject({ state: 'paid', order_number: waiting?.number, amount_due: 0 })
  expect(Number(issued?.total)).toBe(Number(waiting?.initial_total))
  await shop.bind(customer, CARDS.good)
  const next = asJson(await recurring.changePaidFirst(caller, id, to(large)))
  expect(next).toMatchObject({ change: { state: 'applied' }, order: { state: 'completed' } })
  // The new items are not taxed; what the waiting change billed is credited with its tax.
  expect((await documents()).at(-1)).toMatchObject({ order_number: next.order?.number, tax_total: -6.08 })
  expect(await shop.breaches()).toEqual([])
})
