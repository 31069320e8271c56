import { type Money, sumMoney } from '#kernel/money'
import { fold, wordsOf } from '#platform/search/typing-errors'
import type { BankEntry } from '../model/bank-entry.ts'
import { type Reason, REASONS, type SuggestableInvoice, type Suggestion } from '../model/suggestion.ts'
import { NamedInvoices } from './named-invoices.ts'

const MAX_SUGGESTIONS = 3
/** More open invoices than these of one amount tell nothing about who paid. */
const MAX_OF_AMOUNT = 3
const WEIGHTS: Readonly<Record<Reason, number>> = { reference: 8, amount: 4, payer: 2, name: 1 }

type Transfer = Pick<BankEntry, 'amount' | 'debtorName' | 'debtorIban' | 'remittance'>

/** - `payers`: The customers who paid from an IBAN before. */
interface Suggestable {
  readonly invoices: readonly SuggestableInvoice[]
  readonly payers: ReadonlyMap<string, ReadonlySet<string>>
}

interface Candidate {
  readonly invoice: SuggestableInvoice
  readonly reasons: readonly Reason[]
}

/**
 * What people may match with a transfer by one click, the likeliest first: an invoice that it pays, less or more than is due, or the
 * oldest invoices of a customer that it pays exactly.
 */
export function decideSuggestions(transfer: Transfer, { invoices, payers }: Suggestable): Suggestion[] {
  const open = invoices
    .filter(({ amountDue }) => amountDue.currency === transfer.amount.currency && amountDue.isPositive())
    .toSorted((a, b) => compare(a.dueDate, b.dueDate) || compare(a.number, b.number))
  const named = new Set(new NamedInvoices(open).in(transfer.remittance).flat())
  const isPayer = payers.get(transfer.debtorIban ?? '') ?? new Set()
  const isRare = open.filter(({ amountDue }) => amountDue.equals(transfer.amount)).length <= MAX_OF_AMOUNT
  const candidates = open
    .map((invoice): Candidate => {
      const holds: Readonly<Record<Reason, boolean>> = {
        reference: named.has(invoice) || namesLastDigits(transfer.remittance, invoice.number),
        amount: invoice.amountDue.equals(transfer.amount),
        payer: isPayer.has(invoice.customerUuid),
        name: isSameName(transfer.debtorName ?? '', invoice.customerName),
      }
      return { invoice, reasons: REASONS.filter((reason) => holds[reason]) }
    })
    .filter(
      ({ reasons: [first, second] }) =>
        first !== undefined && (first !== 'amount' || second !== undefined || isRare),
    )
  return [...candidates.map(wholly(transfer.amount)), ...together(candidates, transfer.amount)]
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MAX_SUGGESTIONS)
}

function wholly(amount: Money): (candidate: Candidate) => Suggestion {
  return ({ invoice, reasons }) => ({ shares: [{ invoice, amount }], reasons })
}

/** The oldest invoices of each customer whose dues sum exactly. An amount that one invoice explains is not looked for in several. */
function together(candidates: readonly Candidate[], amount: Money): Suggestion[] {
  const known = candidates.filter(({ reasons }) => reasons.some((reason) => reason !== 'amount'))
  return [...Map.groupBy(known, ({ invoice }) => invoice.customerUuid).values()].flatMap((ofCustomer) => {
    const dues = ofCustomer.map(({ invoice }) => invoice.amountDue)
    const count =
      dues.findIndex((_, index) => sumMoney(amount.currency, dues.slice(0, index + 1)).equals(amount)) + 1
    if (count < 2) return []
    const paid = ofCustomer.slice(0, count)
    return {
      shares: paid.map(({ invoice }) => ({ invoice, amount: invoice.amountDue })),
      reasons: REASONS.filter(
        (reason) => reason === 'amount' || paid.every(({ reasons }) => reasons.includes(reason)),
      ),
    }
  })
}

function weightOf({ reasons }: Suggestion): number {
  return reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0)
}

const MIN_DIGITS = 3

/** "Invoice 42" is too little of INV-2027-000042, and "invoice 000042" or "1042" of INV-2027-001042 is enough. */
function namesLastDigits(remittance: string, number: string): boolean {
  const digits = /\d+$/.exec(number)?.[0] ?? ''
  const short = digits.replace(/^0+/, '')
  const written: readonly string[] = remittance.match(/\d+/g) ?? []
  return [digits, short].some((text) => text.length >= MIN_DIGITS && written.includes(text))
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  'ag bv co corp ev gbr gmbh inc kg kgaa limited llc llp ltd mbh mr mrs ms nv ohg oy plc pte pty sa sarl sas se sl spa srl ug und'.split(
    ' ',
  ),
)

/** The words of a name without legal forms and titles, which many share. */
export function wordsOfName(name: string): string[] {
  return wordsOf(fold(name)).filter((word) => word.length > 1 && !LEGAL_FORMS.has(word))
}

/** Two words in common, or all words of the shorter name. */
function isSameName(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [wordsOfName(one), wordsOfName(other)].toSorted(
    (a, b) => a.length - b.length,
  )
  const common = shorter.filter((word) => longer.includes(word)).length
  return common >= 2 || (common > 0 && common === shorter.length)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
