import { type Money, sumMoney } from '#kernel/money'
import type { CountedTransfer } from '../model/counted-transfer.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { CountedTransfers } from './counted-transfers.ts'
import { NamedInvoices, type Nameable } from './named-invoices.ts'

/** - `isOpen`: Neither paid, credited, voided nor written off. */
export interface PayableInvoice extends Nameable {
  readonly id: string
  readonly customerUuid: string
  readonly amountDue: Money
  readonly isOpen: boolean
}

interface Booking {
  readonly invoiceId: string
  readonly amount: Money
}

/** The bound of reference/billing-transfers#matching. Without it each of many transfers names each of many invoices. */
export const MAX_SUGGESTED = 20

export type Match =
  | { readonly state: 'matched'; readonly bookings: readonly Booking[] }
  | { readonly state: 'suggested'; readonly invoiceIds: readonly string[] }
  | { readonly state: 'unmatched' }

/**
 * - `payers`: The customers who paid from an IBAN before.
 * - `counted`: Earlier transfers that paid named invoices.
 */
export interface Receivables {
  readonly invoices: readonly PayableInvoice[]
  readonly payers: ReadonlyMap<string, ReadonlySet<string>>
  readonly counted: readonly CountedTransfer[]
}

/** Decides the credits of a statement in their order, so that each sees what earlier ones paid. */
export function decideMatches(credits: readonly StatementEntry[], receivables: Receivables): Match[] {
  const books = new Books(receivables)
  return credits.map((entry) => {
    const match = decideMatch(entry, books)
    if (match.state === 'matched') books.book(entry, match.bookings)
    return match
  })
}

function decideMatch(entry: StatementEntry, books: Books): Match {
  const { amount } = entry
  const named = books.named(entry.remittance, amount)
  const [first] = named
  const areAllOpen = named.every(
    (invoice) => invoice !== undefined && books.isPayable(invoice, amount.currency),
  )
  if (first !== undefined && areAllOpen) {
    const invoices = named as readonly PayableInvoice[]
    if (invoices.length === 1) return { state: 'matched', bookings: [{ invoiceId: first.id, amount }] }
    const bookings = invoices.map((invoice) => ({ invoiceId: invoice.id, amount: books.dueOf(invoice) }))
    const sum = sumMoney(
      amount.currency,
      bookings.map((booking) => booking.amount),
    )
    if (sum.equals(amount)) return { state: 'matched', bookings }
  }
  if (books.isPaidTwice(entry, named)) return { state: 'unmatched' }
  const invoiceIds = books.withSameDue(entry).map(({ id }) => id)
  return invoiceIds.length === 0 ? { state: 'unmatched' } : { state: 'suggested', invoiceIds }
}

/** What is due of each invoice, and who has paid what, after the credits that were decided so far. */
class Books {
  readonly #named: NamedInvoices<PayableInvoice>
  readonly #dues: Map<string, Money>
  readonly #invoices: ReadonlyMap<string, PayableInvoice>
  readonly #byCustomer: ReadonlyMap<string, readonly PayableInvoice[]>
  readonly #payers: Map<string, ReadonlySet<string>>
  readonly #counted: CountedTransfers

  constructor({ invoices, payers, counted }: Receivables) {
    this.#named = new NamedInvoices(invoices)
    this.#invoices = new Map(invoices.map((invoice) => [invoice.id, invoice]))
    this.#dues = new Map(invoices.map(({ id, amountDue }) => [id, amountDue]))
    this.#byCustomer = Map.groupBy(invoices, ({ customerUuid }) => customerUuid)
    this.#payers = new Map(payers)
    this.#counted = new CountedTransfers(counted)
  }

  /**
   * Returns one element for each name in the remittance, and each invoice once. An element is undefined if several
   * invoices have the name and nothing decides between them.
   */
  named(remittance: string, amount: Money): readonly (PayableInvoice | undefined)[] {
    const named = this.#named.in(remittance).map((same) => this.#oneOf(same, amount))
    return [...new Set(named)]
  }

  #oneOf(same: readonly PayableInvoice[], amount: Money): PayableInvoice | undefined {
    if (same.length === 1) return same[0]
    const open = same.filter((invoice) => this.isPayable(invoice, amount.currency))
    if (open.length === 1) return open[0]
    const exact = open.filter((invoice) => this.dueOf(invoice).equals(amount))
    return exact.length === 1 ? exact[0] : undefined
  }

  isPayable(invoice: PayableInvoice, currency: string): boolean {
    const due = this.dueOf(invoice)
    return invoice.isOpen && due.currency === currency && due.isPositive()
  }

  /** The amount of a transfer that was sent again says nothing about other invoices. */
  isPaidTwice(entry: StatementEntry, named: readonly (PayableInvoice | undefined)[]): boolean {
    const paid = named.flatMap((invoice) =>
      invoice === undefined || this.isPayable(invoice, entry.amount.currency) ? [] : [invoice.id],
    )
    return paid.length === named.length && this.#counted.isRepeatedBy(entry, paid)
  }

  dueOf({ id, amountDue }: PayableInvoice): Money {
    return this.#dues.get(id) ?? amountDue
  }

  withSameDue({ debtorIban, amount }: StatementEntry): PayableInvoice[] {
    const customers = debtorIban === null ? undefined : this.#payers.get(debtorIban)
    return [...(customers ?? [])]
      .values()
      .flatMap((customer) => this.#byCustomer.get(customer) ?? [])
      .filter((invoice) => this.isPayable(invoice, amount.currency) && this.dueOf(invoice).equals(amount))
      .take(MAX_SUGGESTED)
      .toArray()
  }

  book({ debtorIban, bookingDate, amount: whole }: StatementEntry, bookings: readonly Booking[]): void {
    for (const { invoiceId, amount } of bookings) {
      const invoice = this.#invoices.get(invoiceId)
      if (invoice === undefined) continue
      this.#dues.set(invoiceId, this.dueOf(invoice).minus(amount))
      if (debtorIban === null) continue
      this.#counted.add({ invoiceId, debtorIban, bookingDate, amount: whole })
      const customers = this.#payers.get(debtorIban) ?? new Set()
      this.#payers.set(debtorIban, new Set([...customers, invoice.customerUuid]))
    }
  }
}
