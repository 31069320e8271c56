import { checkVAT, countries } from 'jsvat'
import { validate as isAbn } from 'stdnum/lib/cjs/au/abn.js'
import { validate as isCanadianBn } from 'stdnum/lib/cjs/ca/bn.js'
import { validate as isSwissUid } from 'stdnum/lib/cjs/ch/uid.js'
import { validate as isGstin } from 'stdnum/lib/cjs/in/gstin.js'
import { validate as isCorporateNumber } from 'stdnum/lib/cjs/jp/cn.js'
import { validate as isKoreanBrn } from 'stdnum/lib/cjs/kr/brn.js'
import { validate as isOrgnr } from 'stdnum/lib/cjs/no/orgnr.js'
import { validate as isIrd } from 'stdnum/lib/cjs/nz/ird.js'
import { validate as isUen } from 'stdnum/lib/cjs/sg/uen.js'
import { validate as isThaiTin } from 'stdnum/lib/cjs/th/tin.js'
import { validate as isEin } from 'stdnum/lib/cjs/us/ein.js'
import { validate as isSouthAfricanVat } from 'stdnum/lib/cjs/za/vat.js'
import { errors } from '../errors.ts'
import { countryOfVatId, EU_STATES } from '../model/eu.ts'
import type { TaxId, TaxIdType } from '../model/party.ts'

export function readTaxId({ type, value: text }: TaxId, param: string): TaxId {
  const written = text.toUpperCase().replaceAll(/[\s.-]/g, '')
  if (type === 'vat') return { type, value: readVatId(written, param) }
  const { isValid, form } = NATIONAL[type]
  if (!isValid(written)) throw errors.tax_id_invalid({ param, message: `${param} is not valid: ${form}.` })
  return { type, value: written }
}

function readVatId(written: string, param: string): string {
  const value = written.startsWith('GR') ? `EL${written.slice(2)}` : written
  const country = countryOfVatId(value)
  const isCovered = EU_STATES.has(country) || country === 'GB'
  // Northern Ireland's numbers are British ones under another prefix.
  const checked = value.startsWith('XI') ? `GB${value.slice(2)}` : value
  if (!isCovered || !checkVAT(checked, countries).isValid) throw errors.tax_id_invalid({ param })
  return value
}

interface NationalRule {
  readonly isValid: (value: string) => boolean
  readonly form: string
}

/**
 * Numbers of Hong Kong and of the Emirates have no published check digit, nor have those that Singapore gives for GST alone.
 * `value` is in capitals, without blanks, dots and hyphens.
 */
const NATIONAL: Readonly<Record<Exclude<TaxIdType, 'vat'>, NationalRule>> = {
  hk_br: { isValid: (value) => /^\d{8}(\d{3})?$/.test(value), form: '8 digits, and 3 for a branch' },
  sg_uen: { isValid: (value) => isUen(value).isValid, form: 'a UEN such as 197401143C' },
  sg_gst: {
    isValid: (value) => isUen(value).isValid || /^M[A-Z0-9]\d{7}[A-Z0-9]$/.test(value),
    form: 'a UEN, or a number such as M90312345A',
  },
  au_abn: { isValid: (value) => isAbn(value).isValid, form: 'an ABN of 11 digits' },
  nz_gst: { isValid: (value) => isIrd(value).isValid, form: 'an IRD number of 8 or 9 digits' },
  ch_vat: {
    isValid: (value) => isSwissUid(value.replace(/(MWST|TVA|IVA)$/, '')).isValid,
    form: 'CHE and 9 digits, and MWST, TVA or IVA or none of them',
  },
  no_vat: {
    isValid: (value) => isOrgnr(value.replace(/^NO/, '').replace(/MVA$/, '')).isValid,
    form: '9 digits and MVA',
  },
  ca_bn: { isValid: (value) => isCanadianBn(value).isValid, form: '9 digits, or 15 such as 123026635RT0001' },
  us_ein: { isValid: (value) => isEin(value).isValid, form: 'an EIN of 9 digits' },
  in_gst: { isValid: (value) => isGstin(value).isValid, form: 'a GSTIN of 15 characters' },
  jp_rn: {
    isValid: (value) => isCorporateNumber(value.replace(/^T/, '')).isValid,
    form: 'T and 13 digits',
  },
  kr_brn: { isValid: (value) => isKoreanBrn(value).isValid, form: '10 digits' },
  th_vat: { isValid: (value) => isThaiTin(value).isValid, form: '13 digits' },
  ae_trn: { isValid: (value) => /^1\d{14}$/.test(value), form: '15 digits that begin with 1' },
  za_vat: { isValid: (value) => isSouthAfricanVat(value).isValid, form: '10 digits that begin with 4' },
}

/** Only VAT ids name a country that must be the address's. */
export function checkCountries(taxIds: readonly TaxId[], country: string | undefined, param: string): void {
  if (country === undefined) return
  const index = taxIds.findIndex(({ type, value }) => type === 'vat' && countryOfVatId(value) !== country)
  const other = taxIds[index]
  if (other === undefined) return
  throw errors.tax_id_country_mismatch({
    param: `${param}[${index}].value`,
    message: `The prefix of ${other.value} does not match the country of the address, ${country}.`,
  })
}
