import type { Tx } from '#platform/postgres/database'
import type { TaxGround } from '../assessment/decide-treatment.ts'
import { findBillingDetails } from './billing-details.repository.ts'
import { findLegalEntities } from './legal-entity.repository.ts'
import { findTaxRatesOfCountries } from './tax-rate.repository.ts'

export interface Parties {
  readonly legalEntityId: string
  readonly customerUuid: string
}

/** What the taxes of many orders depend on, in three statements. None for no parties. */
export async function findTaxGrounds(
  tx: Tx,
  parties: readonly Parties[],
): Promise<(party: Parties) => TaxGround> {
  const [entities, details] = await Promise.all([
    findLegalEntities(
      tx,
      parties.map(({ legalEntityId }) => legalEntityId),
    ),
    findBillingDetails(
      tx,
      parties.map(({ customerUuid }) => customerUuid),
    ),
  ])
  const addresses = [...entities.values(), ...details.values()].flatMap(({ address }) => address ?? [])
  const rates = await findTaxRatesOfCountries(tx, [...new Set(addresses.map(({ country }) => country))])
  return ({ legalEntityId, customerUuid }) => {
    const seller = entities.get(legalEntityId)
    if (seller === undefined) throw new Error(`legal entity ${legalEntityId} is gone`)
    return { seller, buyer: details.get(customerUuid), rates }
  }
}
