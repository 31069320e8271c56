import { countryOfVatId, EU_STATES } from '../model/eu.ts'
import type { Registration } from '../model/legal-entity.ts'
import { type Address, isVatId } from '../model/party.ts'
import type { TaxGround } from '../model/tax-ground.ts'
import type { TaxedAs, Treatment } from '../model/tax.ts'

type Place = Pick<Address, 'country' | 'region'>

/** Decides how a line is taxed (reference/billing-tax#treatments). @param date the order's local date */
export function decideTreatment(ground: TaxGround, category: string, date: string): TaxedAs {
  const { seller, buyer } = ground
  const place = buyer?.address ?? seller.address
  if (buyer?.taxExempt === 'exempt') return untaxed('exempt')
  if (buyer?.taxExempt === 'reverse' || reversesCharge(ground, place)) return untaxed('reverse_charge')
  const taxedPlace = placeOfRates(seller, place, date)
  if (taxedPlace === undefined) return untaxed('not_registered')
  const rates = ground.rates.ratesOf(taxedPlace, category, date)
  return rates.length === 0 ? untaxed('no_rate') : { treatment: 'taxed', rates }
}

function untaxed(treatment: Treatment): TaxedAs {
  return { treatment, rates: [] }
}

function reversesCharge({ seller, buyer }: TaxGround, { country }: Place): boolean {
  const home = seller.address.country
  if (country === home || !EU_STATES.has(country) || !EU_STATES.has(home)) return false
  const vatIds = buyer?.taxIds.filter(isVatId) ?? []
  return vatIds.some(({ value, state }) => state !== 'rejected' && EU_STATES.has(countryOfVatId(value)))
}

function placeOfRates(seller: TaxGround['seller'], place: Place, date: string): Place | undefined {
  const home = seller.address
  const isRegistered = (at: Place) => seller.registrations.some((one) => covers(one, at, date))
  if (isRegistered(place)) return place
  if (!EU_STATES.has(place.country)) return undefined
  if (seller.oss) return place
  return EU_STATES.has(home.country) && place.country !== home.country && isRegistered(home)
    ? home
    : undefined
}

function covers({ country, region, from, until }: Registration, place: Place, date: string): boolean {
  if (country !== place.country || (region !== null && region !== place.region)) return false
  return (from === null || from <= date) && (until === null || date <= until)
}
