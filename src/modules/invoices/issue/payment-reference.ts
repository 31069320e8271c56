import { hash } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Characters of the reference behind its check digits (reference/billing-invoices#payment-reference). */
const LENGTH = 12

/** Returns the creditor reference (ISO 11649) of an invoice. It is always the same, and differs from all others of the business. */
export function paymentReferenceOf(invoiceId: string): string {
  const digest = hash('sha256', invoiceId, 'buffer')
  const body = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte & 31] ?? '0').join('')
  return `RF${String(98 - remainderOf(`${body}RF00`)).padStart(2, '0')}${body}`
}

/** ISO 7064, MOD 97-10: A to Z are the numbers 10 to 35. */
function remainderOf(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}
