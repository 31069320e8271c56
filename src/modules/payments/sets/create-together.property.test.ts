import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { currentCause } from '#platform/events/events'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { CreatedOrder, Creation } from '../context.ts'
import { createRequestedOrders } from './create-requested-orders.ts'
import { readOrder } from '../orders/read-order.ts'
import { renderOrderWithLinks } from '../api/render.ts'
import { createFixture, type Merchant } from '../testing/fixture.ts'
import { callerOf, expectSameStored, submitApart, submitTogether } from '../testing/together.ts'

// Proves reference/orders#creating, reference/conventions#idempotency.
const fixture = await createFixture()
const { db } = fixture
const { ctx } = fixture.payments
const together = await fixture.newMerchant()
const apart = await fixture.newMerchant()

const members = fc.array(
  fc.record({
    reference: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5'),
    total: fc.constantFrom(10, 20),
    customer: fc.constantFrom('known', 'known', 'none', 'unknown'),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
    link: fc.boolean(),
  }),
  { minLength: 2, maxLength: 8 },
)
type Member = (typeof members extends fc.Arbitrary<infer Members> ? Members : never)[number]

function creationOf(merchant: Merchant, run: string, member: Member): Creation {
  const { reference, total, customer, link } = member
  const customerUuid = { known: merchant.customerUuid, unknown: 'cus_unknown', none: undefined }[customer]
  const render = (value: unknown) => renderOrderWithLinks(value as never)
  const keyed = callerOf(merchant, run, member)
  const caller = { ...keyed, ...(keyed.idempotency && { idempotency: { ...keyed.idempotency, render } }) }
  const request = {
    reference_number: `${run}${reference}`,
    currency: 'HKD',
    initial_total: total,
    ...(customerUuid !== undefined && { customer_uuid: customerUuid }),
  }
  return {
    caller,
    cause: currentCause(),
    order: readOrder(request, ctx.mayReceiveWebhooks),
    withPaymentLink: link,
  }
}

function shown(outcome: PromiseSettledResult<CreatedOrder>): string {
  if (outcome.status === 'fulfilled') {
    const { order, paymentLink } = outcome.value
    return `created ${order.referenceNumber} ${order.initialTotal.toString()} ${paymentLink !== undefined}`
  }
  const error: unknown = outcome.reason
  if (error instanceof StoredReply) {
    const { data } = JSON.parse(error.body) as {
      data: { order: { reference_number: string; initial_total: number } }
    }
    return `replayed ${data.order.reference_number} ${data.order.initial_total}`
  }
  if (!(error instanceof RequestError)) throw error
  return `${error.reason} ${error.detail.param}`
}

test('orders that are created together are those of the same requests one by one', async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.boolean(), async (all, hasAcquirer) => {
      const run = newId('run')
      fixture.between.environment = hasAcquirer ? 'test' : 'live'
      const creations = all.map((member) => creationOf(together, run, member))
      const { outcomes, order } = await submitTogether(
        db,
        together.businessId,
        (tx, set: readonly Creation[]) => createRequestedOrders(ctx, tx, set),
        creations,
      )
      const oneByOne = await submitApart(order, (index) =>
        ctx.sets.createRequestedOrders.submit(apart.businessId, creationOf(apart, run, all[index] as Member)),
      )
      expect(outcomes.map(shown)).toEqual(oneByOne.map(shown))
      await expectSameStored(fixture, [together, apart], run)
    }),
    { numRuns: 40 },
  )
})
