import type { Caller } from '#platform/caller'
import { GERMAN_ENTITY, taxesOf } from '../../taxes/testing/fixture.ts'
import type { NewPlan } from '#modules/plans'
import { CARDS, type Fixture, Shop } from './fixture.ts'

interface TaxShop {
  readonly card?: string
  readonly rounding?: 'document' | 'line'
  readonly rates?: readonly {
    readonly percentage: number
    readonly valid_from?: string
    readonly valid_until?: string
  }[]
}

export async function openTaxShop(
  fixture: Fixture,
  start: string,
  { card = CARDS.good, rounding = 'document', rates = [{ percentage: 19 }] }: TaxShop = {},
) {
  const shop = await Shop.open(fixture, start)
  const taxes = taxesOf({ ...fixture.shared, customers: fixture.customers })
  taxes.onExchangeRates(fixture.invoices.completeWithRates)
  const { caller } = shop
  const { legal_entity: entity } = await taxes.createEntity(caller, {
    ...GERMAN_ENTITY,
    tax_rounding: rounding,
  })
  await taxes.editSettings(caller, { legal_entity_id: entity.id, tax: 'automatic' })
  for (const rate of rates) {
    await taxes.createRate(caller, { name: 'VAT', country: 'DE', valid_from: '2020-01-01', ...rate })
  }
  const customer = await shop.customer(card)
  const price = (amount: number, taxBehavior?: 'inclusive', category?: string) =>
    inEuro(fixture, caller, amount, taxBehavior, category)
  const plan = async (prices: readonly string[], changes: Partial<NewPlan> & { discount?: number } = {}) => {
    const { discount, ...rest } = changes
    const cycle = await shop.cycle({
      recurring_items: prices.map((id) => ({ quantity: 1, recurring_item_id: id })),
      ...(discount !== undefined && { discount_amount: discount, discount_type: 'percentage' as const }),
    })
    return shop.plan(customer, { recurring_cycles: [cycle], ...rest })
  }
  const billed = async (planId: string) =>
    (await shop.orders(planId)).map(({ line_items: lines, initial_total: total, billing }) => ({
      lines: (lines ?? []).map((line) => [line.label, line.total]),
      total,
      tax: billing?.tax?.total,
      treatments: billing?.tax?.groups.map(({ treatment }) => treatment),
    }))
  return { shop, taxes, caller, customer, entity, price, plan, billed }
}

async function inEuro(
  fixture: Fixture,
  caller: Caller,
  amount: number,
  taxBehavior?: 'inclusive',
  category?: string,
): Promise<string> {
  const { recurring } = fixture
  const { product } = await recurring.createProduct(caller, {
    name: 'Gold',
    ...(category !== undefined && { tax_category: category }),
  })
  const created = await recurring.createPrice(caller, {
    product_id: product.id,
    currency: 'EUR',
    model: 'per_unit',
    unit_amount: amount,
    ...(taxBehavior !== undefined && { tax_behavior: taxBehavior }),
  })
  return created.price.id
}
