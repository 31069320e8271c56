/** - `postalCode`: Null where a country has none. */
export interface Address {
  readonly line1: string
  readonly line2: string | null
  readonly postalCode: string | null
  readonly city: string
  readonly region: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** All but VAT ids are printed and have no effect on tax. */
export const TAX_ID_TYPES = [
  'vat',
  'hk_br',
  'sg_uen',
  'sg_gst',
  'au_abn',
  'nz_gst',
  'ch_vat',
  'no_vat',
  'ca_bn',
  'us_ein',
  'in_gst',
  'jp_rn',
  'kr_brn',
  'th_vat',
  'ae_trn',
  'za_vat',
] as const

export type TaxIdType = (typeof TAX_ID_TYPES)[number]

/** - `value`: In capitals, without blanks, dots and hyphens. */
export interface TaxId {
  readonly type: TaxIdType
  readonly value: string
}

export function isVatId({ type }: TaxId): boolean {
  return type === 'vat'
}

export const TAX_ID_STATES = ['unverified', 'verified', 'rejected'] as const

/** - `state`: What a register of tax ids said of the id; a rejected id counts as none. */
export interface CustomerTaxId extends TaxId {
  readonly state: (typeof TAX_ID_STATES)[number]
}
