import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { Money, parseMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { CatalogueContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type RecurringItem, WITHOUT_PRODUCT } from '../model/catalogue.ts'
import type { NewItem } from '../requests/items.ts'
import { insertItem } from '../storage/price.repository.ts'

export async function createItem(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewItem,
): Promise<RecurringItem> {
  if (!isCurrency(request.currency)) throw errors.plan_currency_unknown({ param: 'recurring_item.currency' })
  const price = parseMoney(request.currency, request.price)
  const param = 'recurring_item.price'
  if (!(price instanceof Money)) throw errors.price_invalid({ param, message: `${param} ${price.message}.` })
  if (price.isNegative()) throw errors.price_invalid({ param, message: `${param} must not be negative.` })
  return once(ctx.db, caller, async (tx) => {
    const item: RecurringItem = {
      ...WITHOUT_PRODUCT,
      id: newId('rit'),
      label: request.label,
      price,
      pricing: { model: 'per_unit', unitAmount: price.toDecimal() },
      referenceId: request.reference_id ?? null,
      description: request.description ?? null,
      createdAt: tx.now,
    }
    await insertItem(tx, item)
    return item
  })
}
