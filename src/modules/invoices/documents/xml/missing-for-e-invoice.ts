import { minorDigits } from '#kernel/currencies'
import { type ElectronicAddress, isVatId } from '#modules/taxes'
import type { Invoice } from '../../model/invoice.ts'
import type { DocumentFormat } from '../formats.ts'
import { categoriesOf, KENNITALA, registrationOf } from './e-invoice.ts'

/** EN 16931 has amounts of at most two decimals (BR-DEC). */
const MAX_DECIMALS = 2

/** The members that the format requires and the invoice lacks; none for a PDF. */
export function missingForEInvoice(invoice: Invoice, format: DocumentFormat): string[] {
  if (format === 'pdf') return []
  const missing = [...missingForCore(invoice), ...missingForNetwork(invoice, format)]
  return missing.flatMap(([member, isMissing]) => (isMissing ? [member] : []))
}

type Missing = [member: string, isMissing: boolean]

function missingForCore(invoice: Invoice): Missing[] {
  const { seller, buyer, lines, currency, exchange } = invoice
  const categories = new Set(lines.map(categoriesOf(invoice)))
  const isTaxable = [...categories].some((category) => category !== 'O')
  return [
    ['currency', minorDigits(currency) > MAX_DECIMALS],
    ['exchange_rate', exchange?.converted === null],
    ['tax_currency', exchange !== undefined && minorDigits(exchange.currency) > MAX_DECIMALS],
    ['seller.tax_ids', isTaxable && seller.taxIds.length === 0],
    ['buyer.name', buyer.name.trim() === ''],
    ['buyer.address', buyer.address === null],
    ['buyer.tax_ids', categories.has('AE') && !buyer.taxIds.some(isVatId)],
  ]
}

/**
 * Peppol needs an address of both parties (PEPPOL-EN16931-R010, R020), and a reference of the buyer or the number of its order
 * (R003). Germany needs more, in XRechnung (BR-DE) and between Germans in Peppol (DE-R); Dutch buyers an account (NL-R-008).
 */
function missingForNetwork({ seller, buyer, ...invoice }: Invoice, format: DocumentFormat): Missing[] {
  if (format !== 'peppol' && format !== 'xrechnung') return []
  const areBothIn = (country: string) =>
    seller.address.country === country && buyer.address?.country === country
  const areGerman = areBothIn('DE')
  const areDutch = format === 'peppol' && areBothIn('NL')
  const isGerman = format === 'xrechnung' || areGerman
  const hasOrder = !isGerman && invoice.purchaseOrder !== null
  return [
    ['seller.electronic_address', !isReachable(seller.electronicAddress, format)],
    ['buyer.electronic_address', !isReachable(buyer.electronicAddress, format)],
    ['buyer_reference', invoice.buyerReference === null && !hasOrder],
    ['seller.contact', isGerman && seller.contact === undefined],
    ['seller.bank', areDutch && invoice.type === 'invoice' && seller.bank === null],
    ['seller.address.postal_code', isGerman && seller.address.postalCode === null],
    ['buyer.address.postal_code', isGerman && buyer.address?.postalCode === null],
    ...(format === 'peppol' ? missingInCountry({ seller, buyer }) : []),
  ]
}

/**
 * - Iceland: the number of its register, which the scheme 0196 of electronic addresses has (IS-R-002, IS-R-004).
 * - Greece: the mark of its tax office, which only certified providers get (GR-R-004-1).
 */
function missingInCountry({ seller, buyer }: Pick<Invoice, 'seller' | 'buyer'>): Missing[] {
  const isIcelandic = seller.address.country === 'IS'
  const isGreek = seller.address.country === 'GR' || seller.taxIds.some(({ value }) => value.startsWith('EL'))
  return [
    ['seller.kennitala', isIcelandic && registrationOf(seller)?.scheme !== KENNITALA],
    [
      'buyer.kennitala',
      isIcelandic && buyer.address?.country === 'IS' && registrationOf(buyer)?.scheme !== KENNITALA,
    ],
    ['mark', isGreek],
  ]
}

/** The schemes of letters, such as EM for e-mail, are not in Peppol's network (PEPPOL-EN16931-CL008). */
function isReachable(address: ElectronicAddress | undefined, format: 'peppol' | 'xrechnung'): boolean {
  return address !== undefined && (format === 'xrechnung' || /^\d/.test(address.scheme))
}
