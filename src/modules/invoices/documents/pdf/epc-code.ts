import { onOneLine } from '#kernel/one-line'
import type { Invoice } from '../../model/invoice.ts'

/** EPC069-12 version 2.1, section 2.2: what a code may hold, in characters and in bytes. */
const MAX_NAME_LENGTH = 70
const MAX_BYTES = 331
const MAX_MINOR = 99_999_999_999n

/**
 * Returns the text of the QR code that fills in a SEPA transfer of what is due (EPC069-12, version 002, UTF-8), with the payment
 * reference as structured remittance; null where there is none.
 */
export function epcCode({
  type,
  currency,
  seller,
  amountDue,
  paymentReference,
}: Pick<Invoice, 'type' | 'currency' | 'seller' | 'amountDue' | 'paymentReference'>): string | null {
  const { bank, name } = seller
  if (type !== 'invoice' || currency !== 'EUR' || bank?.iban === undefined) return null
  if (!amountDue.isPositive() || amountDue.minor > MAX_MINOR) return null
  const text = (holder: string) =>
    [
      'BCD',
      '002',
      '1',
      'SCT',
      bank.bic ?? '',
      holder,
      bank.iban,
      `EUR${amountDue.toString()}`,
      '',
      paymentReference,
    ].join('\n')
  let holder = [...onOneLine(bank.accountHolder ?? name)].slice(0, MAX_NAME_LENGTH)
  while (Buffer.byteLength(text(holder.join(''))) > MAX_BYTES) holder = holder.slice(0, -1)
  return text(holder.join('').trim())
}
