import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { currentCause } from '#platform/events/events'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import type { CreatedOrder, Creation } from '../context.ts'
import { createEach } from '../orders/create-order.ts'
import { readOrder } from '../orders/read-order.ts'
import { renderOrderWithLinks } from '../api/render.ts'
import { createFixture, type Merchant } from '../testing/fixture.ts'
import { submitTogether } from '../testing/together.ts'

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
  const { reference, total, customer, key, link } = member
  const customerUuid = { known: merchant.customerUuid, unknown: 'cus_unknown', none: undefined }[customer]
  const render = (value: unknown) => renderOrderWithLinks(value as never)
  const keyed =
    key === undefined ? merchant.caller : withKey(merchant.caller, `${run}${key}`, JSON.stringify(member))
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

async function stored({ businessId }: Merchant, run: string): Promise<unknown> {
  const { rows } = await fixture.admin.query<{ stored: unknown }>(
    `select jsonb_build_object(
       'orders', (select jsonb_agg(jsonb_build_array(reference_number, initial_total_minor, customer_uuid is null,
                   (select jsonb_agg(jsonb_build_array(e.type, e.sequence)) from events e where e.business_id = $1 and e.object_id = o.id))
                   order by reference_number)
                   from orders o where business_id = $1 and starts_with(reference_number, $2)),
       'keys', (select jsonb_agg(jsonb_build_array(key, status, fingerprint) order by key)
                 from idempotency_keys where business_id = $1 and starts_with(key, $2))) as stored`,
    [businessId, run],
  )
  return rows[0]?.stored
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
        (tx, set: readonly Creation[]) => createEach(ctx, tx, set),
        creations,
      )
      const oneByOne: string[] = []
      for (const index of order) {
        const creation = creationOf(apart, run, all[index] as Member)
        const [outcome] = await Promise.allSettled([ctx.creations.submit(apart.businessId, creation)])
        oneByOne[index] = shown(outcome)
      }
      expect(outcomes.map(shown)).toEqual(oneByOne)
      expect(await stored(together, run)).toEqual(await stored(apart, run))
    }),
    { numRuns: 40 },
  )
})
