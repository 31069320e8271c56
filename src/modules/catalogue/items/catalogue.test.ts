import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { asJson, createFixture, Shop } from '../../billing/testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const PAGE = { offset: 0, limit: 20, after: undefined }

// Proves reference/recurring#catalogue.
test('items are listed newest first, as they were created', async () => {
  const { caller } = await Shop.open(fixture, START)
  const gold = { label: 'Gold', price: 99.5, currency: 'HKD', reference_id: 'g-1', description: 'Best seats' }
  const first = asJson(await recurring.createItem(caller, gold))
  expect(first.recurring_item).toMatchObject({ id: expect.stringMatching(/^rit_/), ...gold })
  const silver = { label: 'Silver', price: 10, currency: 'JPY' }
  const second = asJson(await recurring.createItem(caller, silver))
  expect(second.recurring_item).not.toHaveProperty('reference_id')
  const listed = asJson(await recurring.itemsPage(caller, { list: 'recurring_items', ...PAGE }))
  expect(listed).toMatchObject({ recurring_items: [second.recurring_item, first.recurring_item] })
})

test('the price of an item must be an amount of a known currency, and not negative', async () => {
  const { caller } = await Shop.open(fixture, START)
  const create = (price: number, currency: string) =>
    refusalOf(recurring.createItem(caller, { label: 'Gold', price, currency }))
  expect(await create(1, 'XXX')).toBe('422 plan_currency_unknown recurring_item.currency')
  expect(await create(10.5, 'JPY')).toBe('422 price_invalid recurring_item.price')
  expect(await create(-1, 'HKD')).toBe('422 price_invalid recurring_item.price')
  expect(await create(0, 'HKD')).toBe('done')
})

// Proves reference/recurring#billing-configs.
test('a billing config shows its defaults and is listed', async () => {
  const { caller } = await Shop.open(fixture, START)
  const created = asJson(
    await recurring.createBillingConfig(caller, { billing_interval: 'week', billing_type: 'anniversary' }),
  )
  expect(created.recurring_billing_config).toMatchObject({
    id: expect.stringMatching(/^rbc_/),
    billing_interval: 'week',
    interval_count: 1,
    billing_type: 'anniversary',
    billing_proration_enabled: false,
  })
  const listed = asJson(
    await recurring.billingConfigsPage(caller, { list: 'recurring_billing_configs', ...PAGE }),
  )
  expect(listed).toMatchObject({ recurring_billing_configs: [created.recurring_billing_config] })
})

test('members of a billing config that contradict each other are refused', async () => {
  const { caller } = await Shop.open(fixture, START)
  const month = { billing_interval: 'month', billing_type: 'calendar' } as const
  const contradictions = [
    month,
    { ...month, billing_day_of_month: 1, billing_month: 2 },
    { ...month, billing_interval: 'week', billing_day_of_month: 1 },
    { ...month, billing_interval: 'year', billing_day_of_month: 1 },
    { ...month, billing_type: 'anniversary', billing_day_of_month: 1 },
    { ...month, billing_type: 'anniversary', billing_proration_enabled: true },
  ] as const
  for (const config of contradictions) {
    expect(await refusalOf(recurring.createBillingConfig(caller, config))).toContain(
      '422 billing_config_inconsistent recurring_billing_config.',
    )
  }
})
