import { type AnswersTaxes, findTaxGrounds, type TaxGround } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { PlanInvoicing } from '../model/invoicing.ts'
import type { Plan } from '../model/plan.ts'

interface StoredInvoicing {
  readonly legal_entity_id: string
  readonly series: string | null
  readonly tax: PlanInvoicing['tax']
  readonly collection: PlanInvoicing['collection']
  readonly days_until_due: number
  readonly buyer_reference?: string
  readonly purchase_order?: string
}

export function storedInvoicing(invoicing: PlanInvoicing | null): string | null {
  if (invoicing === null) return null
  return JSON.stringify({
    legal_entity_id: invoicing.legalEntityId,
    series: invoicing.series,
    tax: invoicing.tax,
    collection: invoicing.collection,
    days_until_due: invoicing.daysUntilDue,
    ...(invoicing.buyerReference !== undefined && { buyer_reference: invoicing.buyerReference }),
    ...(invoicing.purchaseOrder !== undefined && { purchase_order: invoicing.purchaseOrder }),
  } satisfies StoredInvoicing)
}

export function readStoredInvoicing(text: string | null): PlanInvoicing | null {
  if (text === null) return null
  const stored = JSON.parse(text) as StoredInvoicing
  return {
    legalEntityId: stored.legal_entity_id,
    series: stored.series,
    tax: stored.tax,
    collection: stored.collection,
    daysUntilDue: stored.days_until_due,
    ...(stored.buyer_reference !== undefined && { buyerReference: stored.buyer_reference }),
    ...(stored.purchase_order !== undefined && { purchaseOrder: stored.purchase_order }),
  }
}

export async function findTaxGroundsOfPlans(
  tx: Tx,
  plans: readonly Pick<Plan, 'id' | 'customerUuid' | 'invoicing'>[],
  answers: AnswersTaxes,
): Promise<ReadonlyMap<string, TaxGround>> {
  const parties = plans.flatMap(({ id, customerUuid, invoicing }) =>
    invoicing?.tax === 'automatic' ? [{ id, legalEntityId: invoicing.legalEntityId, customerUuid }] : [],
  )
  if (parties.length === 0) return new Map()
  const groundOf = await findTaxGrounds(tx, parties, answers)
  return new Map(parties.map((party) => [party.id, groundOf(party)]))
}
