import { minorDigits } from '#kernel/currencies'
import type { Invoice } from '../../model/invoice.ts'
import { categoriesOf } from './e-invoice.ts'

/** EN 16931 has amounts of at most two decimals (BR-DEC). */
const MAX_DECIMALS = 2

/** The members that EN 16931 requires and the invoice lacks. */
export function missingForEInvoice(invoice: Invoice): string[] {
  const { seller, buyer, lines, currency } = invoice
  const categories = new Set(lines.map(categoriesOf(invoice)))
  const isTaxable = [...categories].some((category) => category !== 'O')
  const missing: [string, boolean][] = [
    ['currency', minorDigits(currency) > MAX_DECIMALS],
    ['seller.tax_ids', isTaxable && seller.taxIds.length === 0],
    ['buyer.name', buyer.name.trim() === ''],
    ['buyer.address', buyer.address === null],
    ['buyer.tax_ids', categories.has('AE') && buyer.taxIds.length === 0],
  ]
  return missing.flatMap(([member, isMissing]) => (isMissing ? [member] : []))
}
