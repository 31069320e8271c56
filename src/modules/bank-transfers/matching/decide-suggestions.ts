import type { Money } from '#kernel/money'
import { fold, wordsOf } from '#platform/search/typing-errors'
import type { BankEntry } from '../model/bank-entry.ts'
import type { CountedTransfer } from '../model/counted-transfer.ts'
import { type Reason, REASONS, type SuggestableInvoice, type Suggestion } from '../model/suggestion.ts'
import { CountedTransfers } from './counted-transfers.ts'
import { NamedInvoices } from './named-invoices.ts'

/** The bound of reference/billing-transfers#suggestions. */
const MAX_SUGGESTIONS = 3
/** If more open invoices than this have the amount, the amount does not show who paid. */
const MAX_OF_AMOUNT = 3
/** Powers of two: a reason outweighs all weaker ones together. */
const WEIGHTS: Readonly<Record<Reason, number>> = {
  paid_twice: 16,
  reference: 8,
  amount: 4,
  payer: 2,
  name: 1,
}

type Transfer = Pick<BankEntry, 'amount' | 'bookingDate' | 'debtorName' | 'debtorIban' | 'remittance'>

/**
 * - `invoices`: Open ones, and all that a remittance names.
 * - `payers`: The customers who paid from an IBAN before.
 * - `counted`: The transfers that paid the named invoices.
 */
interface Suggestable {
  readonly invoices: readonly SuggestableInvoice[]
  readonly payers: ReadonlyMap<string, ReadonlySet<string>>
  readonly counted: readonly CountedTransfer[]
}

interface Candidate {
  readonly invoice: SuggestableInvoice
  readonly reasons: readonly Reason[]
}

interface Known {
  readonly invoice: SuggestableInvoice
  readonly lastDigits: readonly string[]
  readonly customerWords: ReadonlySet<string>
}

/**
 * Returns what people can match with a transfer in one click, likeliest first: an invoice of which it pays the
 * amount due, less or more, or the oldest invoices of a customer that it pays exactly. A transfer that was sent twice
 * comes with a suggestion without invoices, and only with invoices that it names in another way.
 */
export function suggestionsAmong({
  invoices,
  payers,
  counted,
}: Suggestable): (transfer: Transfer) => Suggestion[] {
  const transfers = new CountedTransfers(counted)
  const names = new NamedInvoices(invoices)
  const known = invoices
    .filter(({ amountDue }) => amountDue.isPositive())
    .toSorted((a, b) => compare(a.dueDate, b.dueDate) || compare(a.number, b.number))
    .map((invoice): Known => ({
      invoice,
      lastDigits: lastDigitsOf(invoice.number),
      customerWords: new Set(wordsOfName(invoice.customerName)),
    }))
  return (transfer) => {
    const open = known.filter(({ invoice }) => invoice.amountDue.currency === transfer.amount.currency)
    const byName = names.in(transfer.remittance)
    const twice = paidTwice(transfer, byName, transfers)
    const named = new Set(byName.flat())
    const written = new Set(transfer.remittance.match(/\d+/g))
    const isPayer = payers.get(transfer.debtorIban ?? '') ?? new Set()
    const debtorWords = new Set(wordsOfName(transfer.debtorName ?? ''))
    const isRare =
      open.filter(({ invoice }) => invoice.amountDue.equals(transfer.amount)).length <= MAX_OF_AMOUNT
    const candidates = open
      .map(({ invoice, lastDigits, customerWords }): Candidate => {
        const holds: Readonly<Record<Reason, boolean>> = {
          paid_twice: false,
          reference: named.has(invoice) || lastDigits.some((digits) => written.has(digits)),
          amount: invoice.amountDue.equals(transfer.amount),
          payer: isPayer.has(invoice.customerUuid),
          name: isSameName(debtorWords, customerWords),
        }
        return { invoice, reasons: REASONS.filter((reason) => holds[reason]) }
      })
      .filter(
        ({ reasons: [first, second] }) =>
          first !== undefined &&
          (twice === undefined || first === 'reference') &&
          (first !== 'amount' || second !== undefined || isRare),
      )
    return [
      ...(twice ?? []),
      ...candidates.map(wholly(transfer.amount)),
      ...together(candidates, transfer.amount),
    ]
      .toSorted((a, b) => weightOf(b) - weightOf(a))
      .slice(0, MAX_SUGGESTIONS)
  }
}

/** Each name must lead to an invoice that the same transfer has paid, and to none that is open. */
function paidTwice(
  transfer: Transfer,
  byName: readonly (readonly SuggestableInvoice[])[],
  transfers: CountedTransfers,
): readonly [Suggestion] | undefined {
  if (byName.flat().some(({ amountDue }) => amountDue.isPositive())) return undefined
  const paid = byName.map((same) => same.find(({ id }) => transfers.isRepeatedBy(transfer, [id])))
  const [first] = paid
  if (first === undefined || paid.includes(undefined)) return undefined
  return [{ customer: first, shares: [], reasons: ['paid_twice'] }]
}

function wholly(amount: Money): (candidate: Candidate) => Suggestion {
  return ({ invoice, reasons }) => ({
    customer: invoice,
    shares: [{ invoice, amount }],
    reasons,
  })
}

/**
 * Finds the oldest invoices of each customer that sum to exactly the amount. An amount that one invoice explains is
 * not split over several.
 */
function together(candidates: readonly Candidate[], amount: Money): Suggestion[] {
  const known = candidates.filter(({ reasons }) => reasons.some((reason) => reason !== 'amount'))
  return [...Map.groupBy(known, ({ invoice }) => invoice.customerUuid).values()].flatMap((ofCustomer) => {
    const paid = oldestOfSum(ofCustomer, amount)
    const [first] = paid
    if (first === undefined || paid.length < 2) return []
    return {
      customer: first.invoice,
      shares: paid.map(({ invoice }) => ({ invoice, amount: invoice.amountDue })),
      reasons: REASONS.filter(
        (reason) => reason === 'amount' || paid.every(({ reasons }) => reasons.includes(reason)),
      ),
    }
  })
}

function oldestOfSum(candidates: readonly Candidate[], amount: Money): readonly Candidate[] {
  let left = amount
  for (const [index, { invoice }] of candidates.entries()) {
    left = left.minus(invoice.amountDue)
    if (left.isZero()) return candidates.slice(0, index + 1)
    if (left.isNegative()) break
  }
  return []
}

function weightOf({ reasons }: Suggestion): number {
  return reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0)
}

/** The bound of reference/billing-transfers#suggestions. */
const MIN_DIGITS = 3

/** "Invoice 42" is too little of INV-2027-000042, and "invoice 000042" or "1042" of INV-2027-001042 is enough. */
function lastDigitsOf(number: string): string[] {
  const digits = /(?<!\d)\d*$/.exec(number)?.[0] ?? ''
  const short = digits.replace(/^0+/, '')
  return [digits, short].filter(({ length }) => length >= MIN_DIGITS)
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  'ag bv co corp ev gbr gmbh inc kg kgaa limited llc llp ltd mbh mr mrs ms nv ohg oy plc pte pty sa sarl sas se sl spa srl ug und'.split(
    ' ',
  ),
)

/** Returns the words of a name, without legal forms and titles, because many names share those. */
export function wordsOfName(name: string): string[] {
  return wordsOf(fold(name)).filter((word) => word.length > 1 && !LEGAL_FORMS.has(word))
}

/** Two words in common, or all words of the shorter name. */
function isSameName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = one.intersection(other).size
  return common >= 2 || (common > 0 && common === Math.min(one.size, other.size))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
