import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createFixture, Shop } from '../../billing/testing/fixture.ts'
import { PLANS_PERSONAL_DATA } from './personal-data.ts'

const fixture = await createFixture()

// Proves reference/personal-data#erasure.
test('labels of items lose the texts of a customer, except where another customer has the item too', async () => {
  const shop = await Shop.open(fixture, '2026-01-31T00:00:00Z')
  const { businessId } = shop.caller
  const [erased, other] = [await shop.customer(), await shop.customer()]
  const [own, shared] = [await shop.item(100), await shop.item(200)]
  const billing = async (...ids: string[]) => ({
    recurring_cycles: [
      await shop.cycle({ recurring_items: ids.map((id) => ({ quantity: 1, recurring_item_id: id })) }),
    ],
  })
  await shop.plan(erased, await billing(own, shared))
  await shop.plan(erased, await billing(own))
  await shop.plan(other, await billing(shared))
  const subject = {
    uuid: erased,
    names: [],
    erasedName: '',
    texts: ['Gold'],
    objects: sql`select null as id`,
  }
  const items = PLANS_PERSONAL_DATA.sources.find(({ table }) => table === 'recurring_items')
  const found = await fixture.db.transact(businessId, async (tx) => {
    await items?.erase?.(tx, subject, '')
    return tx.query(
      sql`select id, label from recurring_items where business_id = ${businessId} order by price_minor`,
    )
  })
  expect(found).toEqual([
    { id: own, label: '[erased]' },
    { id: shared, label: 'Gold' },
  ])
})
