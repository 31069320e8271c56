import { type Customer, customerErrors } from '#modules/customers'
import {
  type BillingDetails,
  billingDetails,
  legalEntities,
  type LegalEntity,
  taxErrors,
} from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import type { Buyer, Seller } from '../model/invoice.ts'
import type { OrderToInvoice, Parties } from './decide-document.ts'

type Named = Pick<OrderToInvoice, 'customerUuid' | 'legalEntityId'>

interface FoundParties {
  readonly entities: ReadonlyMap<string, LegalEntity>
  readonly partiesOf: (named: Named) => Parties
}

/** Reads sellers and buyers as they are now. */
export async function findParties(
  ctx: InvoicesContext,
  tx: Tx,
  named: readonly Named[],
): Promise<FoundParties> {
  const customerUuids = [...new Set(named.map(({ customerUuid }) => customerUuid))]
  const [entities, details, customers] = await Promise.all([
    legalEntities(tx, [...new Set(named.map(({ legalEntityId }) => legalEntityId))]),
    billingDetails(tx, customerUuids),
    ctx.customers.findCustomers(tx, customerUuids),
  ])
  const partiesOf = ({ customerUuid, legalEntityId }: Named): Parties => {
    const customer = customers.get(customerUuid)
    if (customer === undefined) throw customerErrors.customer_not_found()
    const detail = details.get(customerUuid)
    return {
      seller: sellerOf(entityOf(entities, legalEntityId)),
      buyer: buyerOf(customer, detail),
      exemptReason: detail?.exemptReason ?? null,
    }
  }
  return { entities, partiesOf }
}

export function entityOf(entities: ReadonlyMap<string, LegalEntity>, id: string): LegalEntity {
  const entity = entities.get(id)
  if (entity === undefined) throw taxErrors.legal_entity_not_found()
  return entity
}

function sellerOf(entity: LegalEntity): Seller {
  const { id, name, address, taxIds, bank, electronicAddress, contact, footer } = entity
  return {
    legalEntityId: id,
    name,
    address,
    taxIds,
    bank,
    ...(electronicAddress !== null && { electronicAddress }),
    ...(contact !== null && { contact }),
    footer,
  }
}

function buyerOf({ uuid, name, companyName, email }: Customer, details: BillingDetails | undefined): Buyer {
  return {
    customerUuid: uuid,
    name: companyName ?? name,
    email: details?.invoiceEmail ?? email,
    address: details?.address ?? null,
    taxIds: (details?.taxIds ?? [])
      .filter(({ state }) => state !== 'rejected')
      .map(({ type, value }) => ({ type, value })),
    ...(details?.electronicAddress && { electronicAddress: details.electronicAddress }),
    language: details?.language ?? null,
  }
}
