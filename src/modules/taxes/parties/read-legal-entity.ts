import type { RequestError } from '#kernel/errors'
import { errors } from '../errors.ts'
import type { LegalEntity, NumberSeries, Registration } from '../model/legal-entity.ts'
import {
  DEFAULT_CREDIT_NOTE_FORMAT,
  DEFAULT_INVOICE_FORMAT,
  formatProblem,
  formatShape,
  isDefaultFormat,
} from '../model/number-format.ts'
import type { LegalEntityEdit, NewLegalEntity } from '../model/party-requests.ts'
import { readAddress } from './read-address.ts'
import { readBank } from './read-bank.ts'
import { readElectronicAddress } from './read-electronic-address.ts'
import { checkCountries, readTaxId } from './tax-id.ts'

type NewSeries = NonNullable<NewLegalEntity['series']>
type Terms = Omit<LegalEntity, 'id' | 'referenceId' | 'metadata' | 'createdAt' | 'updatedAt'>

const KIND = 'legal_entity'

export function readLegalEntity(members: LegalEntityEdit, before: Terms): Terms {
  const taxIds = members.tax_ids?.map((taxId, index) => readTaxId(taxId, `${KIND}.tax_ids[${index}].value`))
  const terms: Terms = {
    name: members.name ?? before.name,
    currency: members.currency === undefined ? before.currency : members.currency,
    address: members.address === undefined ? before.address : readAddress(members.address, KIND),
    taxIds: taxIds ?? before.taxIds,
    registrations: members.registrations?.map(readRegistration) ?? before.registrations,
    oss: members.oss ?? before.oss,
    bank: members.bank === undefined ? before.bank : readBank(members.bank, KIND),
    electronicAddress:
      members.electronic_address === undefined
        ? before.electronicAddress
        : members.electronic_address && readElectronicAddress(members.electronic_address, KIND),
    contact: members.contact === undefined ? before.contact : members.contact,
    taxRounding: members.tax_rounding ?? before.taxRounding,
    series: members.series === undefined ? before.series : readSeries(members.series),
    footer: members.footer === undefined ? before.footer : members.footer,
  }
  checkCountries(terms.taxIds, terms.address.country, `${KIND}.tax_ids`)
  return terms
}

export function newLegalEntity(members: NewLegalEntity): Terms {
  return readLegalEntity(members, {
    name: members.name,
    currency: null,
    address: readAddress(members.address, KIND),
    taxIds: [],
    registrations: [],
    oss: false,
    bank: null,
    electronicAddress: null,
    contact: null,
    taxRounding: 'document',
    series: [],
    footer: null,
  })
}

function readRegistration(members: NewLegalEntity['registrations'][number], index: number): Registration {
  const { country, region = null, number = null, from = null, until = null } = members
  if (from !== null && until !== null && until < from) {
    throw invalid(`registrations[${index}].until`, 'must not be before from')
  }
  return { country, region, number, from, until }
}

function readSeries(members: NewSeries): NumberSeries[] {
  const read = members.map(({ key, invoice_format, credit_note_format, first_number }, index) => {
    const at = `series[${index}]`
    const isTaken = members.findIndex((other) => other.key === key) < index
    if (isTaken) throw invalid(`${at}.key`, 'is the key of another series')
    return {
      key,
      invoiceFormat: readFormat(invoice_format, DEFAULT_INVOICE_FORMAT, `${at}.invoice_format`),
      creditNoteFormat: readFormat(
        credit_note_format,
        DEFAULT_CREDIT_NOTE_FORMAT,
        `${at}.credit_note_format`,
      ),
      firstNumber: first_number ?? 1,
    }
  })
  checkFormatsDiffer(read)
  return read
}

/** Two documents of one seller never have the same number. Series with the default formats count together. */
function checkFormatsDiffer(series: readonly NumberSeries[]): void {
  const taken = new Map<string, string>()
  const take = (format: string, type: string, member: string): void => {
    const shape = formatShape(format)
    const use = isDefaultFormat(format) ? `${type} ${format}` : member
    const before = taken.get(shape)
    taken.set(shape, use)
    if (before !== undefined && before !== use)
      throw formatInvalid(member, 'must not yield the same numbers as another format')
  }
  for (const [index, { invoiceFormat, creditNoteFormat }] of series.entries()) {
    take(invoiceFormat, 'invoice', `series[${index}].invoice_format`)
    take(creditNoteFormat, 'credit_note', `series[${index}].credit_note_format`)
  }
}

function readFormat(format: string | undefined, otherwise: string, member: string): string {
  if (format === undefined) return otherwise
  const rule = formatProblem(format)
  if (rule === undefined) return format
  throw formatInvalid(member, rule)
}

function formatInvalid(member: string, rule: string): RequestError {
  const param = `${KIND}.${member}`
  return errors.number_format_invalid({ param, message: `${param} ${rule}.` })
}

function invalid(member: string, rule: string): RequestError {
  const param = `${KIND}.${member}`
  return errors.legal_entity_invalid({ param, message: `${param} ${rule}.` })
}
