import type { CountedTransfer } from '../model/counted-transfer.ts'
import type { StatementEntry } from '../model/statement-entry.ts'

type Transfer = Pick<StatementEntry, 'amount' | 'bookingDate' | 'debtorIban'>

/** The bound of reference/billing-transfers#suggestions. */
const MAX_DAYS_APART = 60

/** Says whether a transfer repeats one that has paid an invoice. */
export class CountedTransfers {
  readonly #byInvoice: Map<string, CountedTransfer[]>

  constructor(transfers: readonly CountedTransfer[]) {
    this.#byInvoice = Map.groupBy(transfers, ({ invoiceId }) => invoiceId)
  }

  add(transfer: CountedTransfer): void {
    const known = this.#byInvoice.get(transfer.invoiceId)
    if (known === undefined) this.#byInvoice.set(transfer.invoiceId, [transfer])
    else known.push(transfer)
  }

  /** True if the same IBAN has paid each of the invoices with this amount, at most 60 days apart. */
  isRepeatedBy({ amount, bookingDate, debtorIban }: Transfer, invoiceIds: readonly string[]): boolean {
    if (debtorIban === null || invoiceIds.length === 0) return false
    return invoiceIds.every((id) =>
      this.#byInvoice
        .get(id)
        ?.some(
          (counted) =>
            counted.debtorIban === debtorIban &&
            counted.amount.currency === amount.currency &&
            counted.amount.equals(amount) &&
            daysBetween(counted.bookingDate, bookingDate) <= MAX_DAYS_APART,
        ),
    )
  }
}

function daysBetween(one: string, other: string): number {
  const days = Temporal.PlainDate.from(one).until(Temporal.PlainDate.from(other), {
    largestUnit: 'days',
  }).days
  return Math.abs(days)
}
