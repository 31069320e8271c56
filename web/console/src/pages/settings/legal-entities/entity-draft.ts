import { type AddressDraft, addressDraft, NO_ADDRESS, readAddress } from '#components/address-fields.tsx'
import type { Country } from '#components/countries.ts'
import {
  type ElectronicAddressDraft,
  electronicAddressDraft,
  readElectronicAddress,
} from '#components/electronic-address-fields.tsx'
import { readTaxIds, type TaxIdDraft } from '#components/tax-ids-field.tsx'
import { type BankDraft, bankDraft, readBank } from '#pages/settings/legal-entities/bank-fields.tsx'
import type { LegalEntity } from '#pages/settings/legal-entities/entity-list.tsx'

interface RegistrationDraft {
  readonly country: Country | null
  readonly region: string
  readonly number: string
  readonly from: string
  readonly until: string
}

interface SeriesDraft {
  readonly key: string
  readonly invoice_format: string
  readonly credit_note_format: string
  readonly first_number: number | string
}

interface ContactDraft {
  readonly name: string
  readonly phone: string
  readonly email: string
}

const NO_CONTACT: ContactDraft = { name: '', phone: '', email: '' }

export function isEmpty(contact: ContactDraft): boolean {
  return Object.values(contact).every((text) => text === '')
}

/** A legal entity as it is typed. */
interface EntityDraft {
  readonly name: string
  readonly address: AddressDraft
  readonly taxIds: readonly TaxIdDraft[]
  readonly registrations: readonly RegistrationDraft[]
  readonly oss: boolean
  readonly currency: string
  readonly bank: BankDraft
  readonly electronicAddress: ElectronicAddressDraft
  readonly contact: ContactDraft
  readonly rounding: LegalEntity['tax_rounding']
  readonly series: readonly SeriesDraft[]
  readonly footer: string
}

export const NEW_REGISTRATION: RegistrationDraft = {
  country: null,
  region: '',
  number: '',
  from: '',
  until: '',
}

export const NEW_SERIES: SeriesDraft = {
  key: '',
  invoice_format: 'INV-{YYYY}-{SEQ:6}',
  credit_note_format: 'CN-{YYYY}-{SEQ:6}',
  first_number: 1,
}

export function entityDraft(entity?: LegalEntity): EntityDraft {
  return {
    name: entity?.name ?? '',
    address: entity === undefined ? NO_ADDRESS : addressDraft(entity.address),
    taxIds: entity?.tax_ids ?? [],
    registrations:
      entity?.registrations.map(({ country, region = '', number = '', from = '', until = '' }) => ({
        country: country as Country,
        region,
        number,
        from,
        until,
      })) ?? [],
    oss: entity?.oss ?? false,
    currency: entity?.currency ?? '',
    bank: bankDraft(entity?.bank ?? null),
    electronicAddress: electronicAddressDraft(entity?.electronic_address ?? null),
    contact: entity?.contact ?? NO_CONTACT,
    rounding: entity?.tax_rounding ?? 'document',
    series:
      entity?.series.map(({ key, invoice_format, credit_note_format, first_number }) => ({
        key,
        invoice_format,
        credit_note_format,
        first_number,
      })) ?? [],
    footer: entity?.footer ?? '',
  }
}

/** The members as the API takes them, or undefined while something is missing. */
export function readEntity(draft: EntityDraft) {
  const address = readAddress(draft.address)
  const registrations = draft.registrations.flatMap(({ country, region, number, from, until }) =>
    country === null
      ? []
      : [
          {
            country,
            region: region || null,
            number: number || null,
            from: from || null,
            until: until || null,
          },
        ],
  )
  const hasAll =
    draft.name.trim() !== '' &&
    registrations.length === draft.registrations.length &&
    draft.series.every(({ key, first_number }) => key.trim() !== '' && first_number !== '')
  if (address === undefined || !hasAll) return undefined
  return {
    name: draft.name,
    address,
    tax_ids: readTaxIds(draft.taxIds),
    registrations,
    oss: draft.oss,
    currency: draft.currency || null,
    bank: readBank(draft.bank),
    electronic_address: readElectronicAddress(draft.electronicAddress),
    contact: isEmpty(draft.contact) ? null : draft.contact,
    tax_rounding: draft.rounding,
    series: draft.series.map((series) => ({ ...series, first_number: Number(series.first_number) })),
    footer: draft.footer || null,
  }
}
