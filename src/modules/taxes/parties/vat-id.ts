import { checkVAT, countries } from 'jsvat'
import { errors } from '../errors.ts'
import { countryOfVatId, EU_STATES } from '../model/eu.ts'
import type { TaxId } from '../model/party.ts'

export function readVatId(text: string, param: string): string {
  const written = text.toUpperCase().replaceAll(/[\s.-]/g, '')
  const value = written.startsWith('GR') ? `EL${written.slice(2)}` : written
  const country = countryOfVatId(value)
  const isCovered = EU_STATES.has(country) || country === 'GB'
  // Northern Ireland's numbers are British ones under another prefix.
  const checked = value.startsWith('XI') ? `GB${value.slice(2)}` : value
  if (!isCovered || !checkVAT(checked, countries).isValid) throw errors.tax_id_invalid({ param })
  return value
}

export function checkCountries(taxIds: readonly TaxId[], country: string | undefined, param: string): void {
  if (country === undefined) return
  const index = taxIds.findIndex(({ value }) => countryOfVatId(value) !== country)
  const other = taxIds[index]
  if (other === undefined) return
  throw errors.tax_id_country_mismatch({
    param: `${param}[${index}].value`,
    message: `The prefix of ${other.value} does not match the country of the address, ${country}.`,
  })
}
