import { Money } from '#kernel/money'
import { readTaxedAs, storedTaxedAs, type StoredTaxedAs } from '#modules/taxes'
import type { BilledLine, LineItem, LineKind, PurchasableType } from './order.ts'

/** The price is text in minor units, so that no JSON reader rounds it. */
interface StoredLine {
  uuid: string
  type: PurchasableType
  purchase_id?: number
  price_minor: string
  quantity: number
  label?: string
  kind?: LineKind
  period?: BilledLine['period']
  item_id?: string
  units?: number
  net_minor?: string
  discount_minor?: string
  taxed_as?: StoredTaxedAs
  tax_minor?: string
  credits?: string
  tax_category?: string
}

export function storedLines(lines: readonly LineItem[] | null): string | null {
  if (lines === null) return null
  return JSON.stringify(
    lines.map((line): StoredLine => ({
      uuid: line.uuid,
      type: line.purchasableType,
      ...(line.purchaseId !== null && { purchase_id: line.purchaseId }),
      price_minor: line.price.minor.toString(),
      quantity: line.quantity,
      ...(line.label !== null && { label: line.label }),
      ...(line.billed !== undefined && storedBilling(line.billed)),
    })),
  )
}

function storedBilling({
  kind,
  period,
  recurringItemId,
  units,
  net,
  discount,
  taxedAs,
  tax,
  creditedOrderId,
  taxCategory,
}: BilledLine): Partial<StoredLine> {
  return {
    kind,
    ...(period !== undefined && { period }),
    ...(recurringItemId !== undefined && { item_id: recurringItemId }),
    ...(units !== undefined && { units }),
    ...(net !== undefined && { net_minor: net.minor.toString() }),
    ...(discount !== undefined && { discount_minor: discount.minor.toString() }),
    ...(taxedAs !== undefined && { taxed_as: storedTaxedAs(taxedAs) }),
    ...(tax !== undefined && { tax_minor: tax.minor.toString() }),
    ...(creditedOrderId !== undefined && { credits: creditedOrderId }),
    ...(taxCategory !== undefined && { tax_category: taxCategory }),
  }
}

export function readLines(currency: string, text: string | null): readonly LineItem[] | null {
  if (text === null) return null
  return (JSON.parse(text) as StoredLine[]).map((line) => ({
    uuid: line.uuid,
    purchasableType: line.type,
    purchaseId: line.purchase_id ?? null,
    price: Money.ofMinor(currency, BigInt(line.price_minor)),
    quantity: line.quantity,
    label: line.label ?? null,
    ...(line.kind !== undefined && {
      billed: {
        kind: line.kind,
        period: line.period,
        recurringItemId: line.item_id,
        units: line.units,
        ...(line.net_minor !== undefined && { net: Money.ofMinor(currency, BigInt(line.net_minor)) }),
        ...(line.discount_minor !== undefined && {
          discount: Money.ofMinor(currency, BigInt(line.discount_minor)),
        }),
        ...(line.taxed_as !== undefined && { taxedAs: readTaxedAs(line.taxed_as) }),
        ...(line.tax_minor !== undefined && { tax: Money.ofMinor(currency, BigInt(line.tax_minor)) }),
        ...(line.credits !== undefined && { creditedOrderId: line.credits }),
        ...(line.tax_category !== undefined && { taxCategory: line.tax_category }),
      },
    }),
  }))
}
