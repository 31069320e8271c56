import type { Money } from '#kernel/money'
import type { BillingDetails } from '../model/billing-details.ts'
import type { LegalEntity } from '../model/legal-entity.ts'
import type { Address } from '../model/party.ts'
import type { EngineLine, TaxQuestion } from '../model/tax-answers.ts'

interface Ask {
  readonly seller: LegalEntity
  readonly buyer: BillingDetails | undefined
  readonly date: string
  readonly lines: readonly EngineLine[]
}

export function taxQuestion({ seller, buyer, date, lines }: Ask, currency: string): TaxQuestion {
  const asked = lines.map((line, index) => ({ id: String(index + 1), line }))
  const body = {
    currency,
    date,
    seller: {
      legal_entity_id: seller.id,
      name: seller.name,
      address: addressOf(seller.address),
      tax_ids: seller.taxIds,
      registrations: seller.registrations,
    },
    buyer: {
      customer_uuid: buyer?.customerUuid ?? null,
      address: buyer?.address ? addressOf(buyer.address) : null,
      tax_ids: buyer?.taxIds ?? [],
      tax_exempt: buyer?.taxExempt ?? 'none',
    },
    lines: asked.map(({ id, line: { amount, taxCategory, taxBehavior } }) => ({
      id,
      amount: amount satisfies Money,
      tax_category: taxCategory,
      tax_behavior: taxBehavior,
    })),
  }
  return { key: JSON.stringify(body), body, lines: asked }
}

function addressOf({ line1, line2, postalCode, city, region, country }: Address) {
  return { line1, line2, postal_code: postalCode, city, region, country }
}
