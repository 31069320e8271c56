import type { Tx } from '#platform/postgres/database'
import type { AnswersTaxes } from '../model/tax-answers.ts'
import type { TaxGround } from '../model/tax-ground.ts'
import { RateTable } from '../model/rate-table.ts'
import { findBillingDetails } from './billing-details.repository.ts'
import { findLegalEntities } from './legal-entity.repository.ts'
import { findEngine } from './tax-engine.repository.ts'
import { findRatesOfPlaces } from './tax-rate.repository.ts'

export interface Parties {
  readonly legalEntityId: string
  readonly customerUuid: string
}

export async function findTaxGrounds(
  tx: Tx,
  parties: readonly Parties[],
  answers: AnswersTaxes,
): Promise<(party: Parties) => TaxGround> {
  const [entities, details, engine] = await Promise.all([
    findLegalEntities(
      tx,
      parties.map(({ legalEntityId }) => legalEntityId),
    ),
    findBillingDetails(
      tx,
      parties.map(({ customerUuid }) => customerUuid),
    ),
    findEngine(tx),
  ])
  const places = [...entities.values(), ...details.values()].flatMap(({ address }) => address ?? [])
  const rates = new RateTable(await findRatesOfPlaces(tx, places))
  return ({ legalEntityId, customerUuid }) => {
    const seller = entities.get(legalEntityId)
    if (seller === undefined) throw new Error(`legal entity ${legalEntityId} is gone`)
    const buyer = details.get(customerUuid)
    return {
      seller,
      buyer,
      rates,
      ...(engine !== undefined && { engine: { seller, buyer, onSilence: engine.onSilence, answers } }),
    }
  }
}
