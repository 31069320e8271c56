import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { Batches } from '#platform/batches/batches'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import type { Creation } from '../context.ts'
import { createEach, createOrder } from '../orders/create-order.ts'
import { renderOrderWithLinks } from '../api/render.ts'
import { createFixture, type Merchant } from '../testing/fixture.ts'

// Proves reference/orders#creating, reference/conventions#idempotency.
const fixture = await createFixture()
const { db } = fixture
const { ctx } = fixture.payments
const together = await fixture.newMerchant()
const apart = await fixture.newMerchant()

const requests = fc.array(
  fc.record({
    reference: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5'),
    total: fc.constantFrom(10, 20),
    customer: fc.constantFrom('known', 'known', 'none', 'unknown'),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
    link: fc.boolean(),
  }),
  { minLength: 2, maxLength: 8 },
)
type Request = (typeof requests extends fc.Arbitrary<infer Requests> ? Requests : never)[number]

function createFor(merchant: Merchant, run: string, request: Request, usedCtx = ctx): Promise<string> {
  const { reference, total, customer, key, link } = request
  const customerUuid = { known: merchant.customerUuid, unknown: 'cus_unknown', none: undefined }[customer]
  const render = (value: unknown) => renderOrderWithLinks(value as never)
  const keyed =
    key === undefined ? merchant.caller : withKey(merchant.caller, `${run}${key}`, JSON.stringify(request))
  const caller = { ...keyed, ...(keyed.idempotency && { idempotency: { ...keyed.idempotency, render } }) }
  const order = {
    reference_number: `${run}${reference}`,
    currency: 'HKD',
    initial_total: total,
    ...(customerUuid !== undefined && { customer_uuid: customerUuid }),
  }
  return createOrder(usedCtx, caller, order, link).then(
    ({ order: created, paymentLink }) =>
      `created ${created.referenceNumber} ${created.initialTotal.toString()} ${paymentLink !== undefined}`,
    (error: unknown) => {
      if (error instanceof StoredReply) {
        const { data } = JSON.parse(error.body) as {
          data: { order: { reference_number: string; initial_total: number } }
        }
        return `replayed ${data.order.reference_number} ${data.order.initial_total}`
      }
      if (!(error instanceof RequestError)) throw error
      const { order: existing } = (error.detail.data ?? {}) as { order?: { reference_number: string } }
      return [error.reason, error.detail.param, existing?.reference_number].join(' ')
    },
  )
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
    fc.asyncProperty(requests, fc.boolean(), async (members, hasAcquirer) => {
      const run = newId('run')
      fixture.between.environment = hasAcquirer ? 'test' : 'live'
      const ranAlone = new Set<Creation>()
      const ended: Creation[] = []
      const creations = new Batches(db, {
        run: async (tx, set: readonly Creation[]) => {
          if (set.length === 1) for (const one of set) ranAlone.add(one)
          return createEach(ctx, tx, set)
        },
      })
      const submitted: Creation[] = []
      const watched = {
        ...ctx,
        creations: {
          submit: (businessId: string, creation: Creation) => {
            submitted.push(creation)
            return creations.submit(businessId, creation).finally(() => ended.push(creation))
          },
        } as typeof ctx.creations,
      }
      const outcomes = await Promise.all(members.map((member) => createFor(together, run, member, watched)))
      // Those of the set as if the created came first, then those that ran alone as they ended.
      const rankOf = (index: number) => {
        const creation = submitted[index]
        if (creation === undefined) return 0
        return ranAlone.has(creation)
          ? 2 + ended.indexOf(creation)
          : Number(!outcomes[index]?.startsWith('created'))
      }
      const order = members
        .map((member, index) => ({ member, index, rank: rankOf(index) }))
        .toSorted((a, b) => a.rank - b.rank)
      const oneByOne: string[] = []
      for (const { index, member } of order) oneByOne[index] = await createFor(apart, run, member)
      expect(outcomes).toEqual(oneByOne)
      expect(await stored(together, run)).toEqual(await stored(apart, run))
    }),
    { numRuns: 40 },
  )
})
