import { fromMinorUnits, toMinorUnits } from 'quittance'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'
import { difference } from '#pages/transactions/amounts.ts'

export function isZeroAmount(amount: string, currency: string): boolean {
  return toMinorUnits(amount, currency) === 0n
}

export function sumOf(amounts: readonly string[], currency: string): string {
  return fromMinorUnits(
    amounts.reduce((sum, amount) => sum + toMinorUnits(amount, currency), 0n),
    currency,
  )
}

/** Returns the amount of an invoice that no credit note has credited yet. */
export function leftToCredit({ total, credited_total, currency }: Invoice): string {
  return difference(total, credited_total, currency)
}

/** Returns what is left to credit of each line, by its id. */
export function leftOfLines(invoice: Invoice, notes: readonly Invoice[]): ReadonlyMap<string, string> {
  const { currency } = invoice
  const credited = Map.groupBy(
    notes.flatMap(({ lines }) => lines),
    ({ line_id }) => line_id,
  )
  return new Map(
    invoice.lines.flatMap(({ id, total }): [string, string][] => {
      const taken = sumOf(
        (credited.get(id) ?? []).map((line) => line.total),
        currency,
      )
      const left = toMinorUnits(total, currency) - toMinorUnits(taken, currency)
      return left > 0n ? [[id, fromMinorUnits(left, currency)]] : []
    }),
  )
}

/** A note lowers the amount due first. The rest may be returned. */
export function partsOf(
  amount: string,
  { amount_due, currency }: Invoice,
): { lowered: string; rest: string } {
  const [wanted, due] = [toMinorUnits(amount, currency), toMinorUnits(amount_due, currency)]
  const lowered = wanted < due ? wanted : due
  return { lowered: fromMinorUnits(lowered, currency), rest: fromMinorUnits(wanted - lowered, currency) }
}
