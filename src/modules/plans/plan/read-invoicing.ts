import {
  type AnswersTaxes,
  findTaxGrounds,
  legalEntity,
  seriesOf,
  settings,
  taxErrors,
  type TaxGround,
} from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { PlanInvoicing } from '../model/invoicing.ts'
import type { NewInvoicing } from '../model/plan-requests.ts'

const PARAM = 'plan.invoicing'

export async function readInvoicing(tx: Tx, request: NewInvoicing = {}): Promise<PlanInvoicing | null> {
  const defaults = await settings(tx)
  const legalEntityId =
    request.legal_entity_id === undefined ? defaults.legalEntityId : request.legal_entity_id
  const asked = {
    tax: request.tax ?? defaults.tax,
    collection: request.collection ?? defaults.collection,
    daysUntilDue: request.days_until_due ?? defaults.daysUntilDue,
    series: request.series ?? null,
    ...(request.buyer_reference != null && { buyerReference: request.buyer_reference }),
    ...(request.purchase_order != null && { purchaseOrder: request.purchase_order }),
  }
  if (legalEntityId === null) {
    const needsEntity = asked.tax !== 'none' || asked.collection !== 'automatic' || asked.series !== null
    if (needsEntity) throw taxErrors.invoicing_incomplete({ param: `${PARAM}.legal_entity_id` })
    return null
  }
  const entity = await legalEntity(tx, legalEntityId)
  if (entity === undefined) {
    throw taxErrors.legal_entity_not_found({ param: `${PARAM}.legal_entity_id` })
  }
  if (seriesOf(entity, asked.series) === undefined) {
    throw taxErrors.series_not_found({ param: `${PARAM}.series` })
  }
  return { legalEntityId, ...asked }
}

export async function taxGroundOf(
  tx: Tx,
  invoicing: PlanInvoicing | null,
  customerUuid: string,
  answers: AnswersTaxes,
): Promise<TaxGround | null> {
  if (invoicing?.tax !== 'automatic') return null
  const party = { legalEntityId: invoicing.legalEntityId, customerUuid }
  return (await findTaxGrounds(tx, [party], answers))(party)
}
