import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { CUSTOMERS_PERSONAL_DATA, customerErasure } from '#modules/customers'
import { hasOrderSince, PAYMENTS_PERSONAL_DATA } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { untilWaiting } from '#platform/testing/database'
import { refusalOf } from '#platform/testing/requests'
import { createFixture } from '../../billing/testing/fixture.ts'
import { openInvoiceShop } from '../../billing/testing/invoices.ts'
import { verifyPersonalData } from '../audit/verify.ts'
import { createModule } from '../testing/module.ts'

// Proves reference/personal-data#erasure.

const fixture = await createFixture()
const { admin, customers, db, invoices, payments, recurring } = fixture
const erasing = createModule({
  db,
  customers,
  data: [CUSTOMERS_PERSONAL_DATA, PAYMENTS_PERSONAL_DATA],
  hasOrderSince,
})
const START = '2031-06-15T02:00:00Z'

async function open() {
  const { shop, caller, customer, plan, price } = await openInvoiceShop(fixture, START)
  const prices = [await price(100)]
  const { id: canceled } = await plan(prices)
  await recurring.cancel(caller, canceled, false)
  const makers = {
    order: () =>
      payments.createOrder(
        caller,
        { reference_number: newId('ref'), currency: 'EUR', initial_total: 100, customer_uuid: customer },
        false,
      ),
    plan: () => plan(prices),
    invoice: () =>
      invoices.create(caller, {
        customer_uuid: customer,
        currency: 'EUR',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
        collection: 'send_invoice',
      }),
    reactivation: () => recurring.reactivate(caller, canceled, 'now'),
  }
  return { shop, caller, customer, makers }
}

/** Waits until `work` waits for a lock, or ends. */
const untilBlocked = (work: Promise<unknown>) =>
  Promise.race([
    untilWaiting(admin, 1),
    work.then(
      () => undefined,
      () => undefined,
    ),
  ])

test.each(['order', 'plan', 'invoice', 'reactivation'] as const)(
  'an erasure and a new %s exclude each other, whichever comes first',
  async (what) => {
    const { caller, customer, makers } = await open()
    const marked = async (tx: Tx) => {
      await customerErasure.lockToErase(tx, customer)
      const making = refusalOf(makers[what]())
      await untilBlocked(making)
      await customerErasure.markErased(tx, customer, tx.now)
      return { making }
    }
    const { making } = await db.transact(caller.businessId, marked)
    expect(await making).toMatch(/^409 customer_erased/)
  },
)

test('an erasure waits for an order that is being made, and is refused because of it', async () => {
  const { caller, customer } = await open()
  const { businessId } = caller
  const { erased } = await db.transact(businessId, async (tx) => {
    await customers.holdCustomers(tx, [customer])
    const refused = refusalOf(erasing.erase(caller, customer))
    await untilBlocked(refused)
    await tx.execute(sql`
      insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor, initial_tips_minor,
                          state, customer_uuid, created_at, updated_at)
      values (${businessId}, 'ord_race', 'api', 'one_off', 'race', 'EUR', 100, 0, 'open', ${customer}, now(), now())`)
    return { erased: refused }
  })
  expect(await erased).toBe('409 erasure_refused')
})

test('verify finds an order and a plan that were made for an erased customer', async () => {
  const { caller, customer, makers } = await open()
  const { businessId } = caller
  const { order } = (await makers.order()) as unknown as { order: { number: string } }
  const { id: planId } = (await makers.plan()) as { id: string }
  const breaches = async () =>
    (await Array.fromAsync(verifyPersonalData(db)(businessId)))
      .filter(({ rule }) => rule === 'nothing_is_made_for_erased_customers')
      .map(({ object }) => object)
  expect(await breaches()).toEqual([])
  await db.transact(businessId, (tx) => customerErasure.markErased(tx, customer, tx.now))
  expect(new Set(await breaches())).toEqual(new Set([order.number, planId]))
})
