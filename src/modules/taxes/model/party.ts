export interface Address {
  readonly line1: string
  readonly line2: string | null
  readonly postalCode: string
  readonly city: string
  readonly region: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** - `value`: In capitals, without blanks, dots and hyphens. */
export interface TaxId {
  readonly type: 'vat'
  readonly value: string
}

export const TAX_ID_STATES = ['unverified', 'verified', 'rejected'] as const

/** - `state`: What a register of tax ids said of the id; a rejected id counts as none. */
export interface CustomerTaxId extends TaxId {
  readonly state: (typeof TAX_ID_STATES)[number]
}
