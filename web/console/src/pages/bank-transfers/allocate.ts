import { fromMinorUnits, toMinorUnits } from 'quittance'

/**
 * Distributes a transfer over invoices: each gets what is due as far as the amount suffices, and the last gets the
 * rest, so that a single one gets all.
 */
export function allocate(amount: string, dues: readonly string[], currency: string): string[] {
  let left = toMinorUnits(amount, currency)
  return dues.map((due, index) => {
    const wanted = toMinorUnits(due, currency)
    const isLast = index === dues.length - 1
    const share = isLast || wanted > left ? left : wanted
    left -= share
    return fromMinorUnits(share, currency)
  })
}
