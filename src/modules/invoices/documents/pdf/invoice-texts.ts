import { say } from '#kernel/say'
import { toRfc3339 } from '#kernel/clock'
import { minorDigits } from '#kernel/currencies'
import { type Decimal, decimalToString } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { Attachment, DocumentTexts, Fact, Row, Sum } from '#platform/documents/document-texts'
import { type Figures, figuresOf } from '#platform/documents/figures'
import { type Address, isVatId, type TaxGroup, type TaxId } from '#modules/taxes'
import type { CorrectedInvoice, Invoice, InvoiceLine } from '../../model/invoice.ts'
import { type InvoiceWords, invoiceWords } from '../invoice-words.ts'
import { reasonOf, settlementOf } from '../note-texts.ts'
import { periodDates } from '../period-dates.ts'
import { taxIdName } from '../tax-id-names.ts'
import { claimOf } from '../xml/e-invoice.ts'
import { epcCode } from './epc-code.ts'
import { type MovedMoney, paymentRows } from './payment-rows.ts'
import { untaxedNotes } from './why-untaxed.ts'

/** A document's words, dates and amounts. */
interface Terms {
  readonly words: InvoiceWords
  readonly figures: Figures
}

/**
 * - `language`: BCP 47. A language without words of its own gets English ones.
 * - `timeZone`: The business's, for the dates of periods.
 * - `paymentLink`: Shown while something is due.
 * - `moved`: The transactions of the invoice's order.
 */
export interface PdfOptions {
  readonly language: string
  readonly timeZone: TimeZone
  readonly isTest: boolean
  readonly logo: { readonly type: string; readonly content: Buffer } | null
  readonly paymentLink: string | null
  readonly moved: readonly MovedMoney[]
}

export function invoiceTexts(
  invoice: Invoice,
  options: PdfOptions,
  attachment: Attachment | null,
): DocumentTexts {
  const { language, locale, words } = invoiceWords(options.language)
  const figures = figuresOf(locale)
  const terms: Terms = { words, figures }
  const { seller, buyer, currency, lines } = invoice
  const isPayable = invoice.type === 'invoice' && invoice.amountDue.isPositive()
  const isTaxed = lines.some(({ treatment }) => treatment !== 'not_registered')
  const taxIds = (ids: readonly TaxId[]) => ids.map(({ type, value }) => `${taxIdName(type, words)} ${value}`)
  return {
    language,
    title: invoice.type === 'invoice' ? words.invoice : words.creditNote,
    businessName: seller.name,
    logo: logoOf(options),
    contacts:
      seller.contact === undefined ? [] : [seller.contact.name, seller.contact.phone, seller.contact.email],
    testMode: options.isTest ? words.testMode : null,
    referenceNumber: invoice.number,
    createdAt: toRfc3339(invoice.createdAt),
    facts: factsOf(invoice, terms),
    parties: [
      {
        title: words.seller,
        name: seller.name,
        lines: [...addressOf(seller.address, language), ...taxIds(seller.taxIds)],
      },
      {
        title: words.buyer,
        name: buyer.name,
        lines: [
          ...(buyer.address === null ? [] : addressOf(buyer.address, language)),
          ...(buyer.email === null ? [] : [buyer.email]),
          ...taxIds(isTaxed ? buyer.taxIds : buyer.taxIds.filter((taxId) => !isVatId(taxId))),
        ],
      },
    ],
    headline: headlineOf(invoice, terms),
    titles: {
      item: words.item,
      details: [],
      quantity: words.quantity,
      price: words.unitPrice,
      tax: isTaxed ? words.rate : null,
      amount: `${words.amount} (${currency})`,
    },
    rows: lines.map((line) => rowOf(line, { invoice, terms, isTaxed, timeZone: options.timeZone })),
    sums: sumsOf(invoice, terms, isTaxed),
    taxes: isTaxed
      ? {
          titles: { name: words.taxRate, base: words.taxableAmount, amount: words.tax },
          rows: invoice.taxes.map((group) => ({
            name: nameOf(group, terms),
            base: figures.amount(group.base),
            amount: figures.amount(group.amount),
          })),
        }
      : null,
    paymentsTitle: words.payments,
    payments: invoice.type === 'invoice' ? paymentRows(options.moved, words, figures) : [],
    transferTitle: words.transfer,
    transfer: isPayable ? transferFacts(invoice, words) : [],
    transferCode: isPayable ? codeOf(invoice, words) : null,
    paymentLink: isPayable ? options.paymentLink : null,
    scanToPay: words.scanToPay,
    notes: [
      ...reasonNote(invoice, words),
      ...(invoice.memo === null ? [] : [invoice.memo]),
      ...untaxedNotes(invoice, words),
      ...rateNote(invoice, { words, figures }),
    ],
    footer: seller.footer,
    pageNumber: words.page,
    attachment,
  }
}

/** pdfkit knows no WebP. */
function logoOf({ logo }: PdfOptions): string | null {
  if (logo === null || logo.type === 'image/webp') return null
  return `data:${logo.type};base64,${logo.content.toString('base64')}`
}

function codeOf(invoice: Invoice, words: InvoiceWords): DocumentTexts['transferCode'] {
  const content = epcCode(invoice)
  return content === null ? null : { content, caption: words.scanToTransfer }
}

function factsOf(invoice: Invoice, { words, figures }: Terms): Fact[] {
  const { number, issueDate, dueDate, corrected, seller, paymentReference, buyerReference, purchaseOrder } =
    invoice
  const isInvoice = invoice.type === 'invoice'
  const facts: [string, string | null][] = [
    [words.number, number],
    [words.issueDate, figures.date(issueDate)],
    [words.dueDate, isInvoice ? figures.date(dueDate) : null],
    [words.correctedInvoice, corrected.map((one) => correctedText(one, figures)).join(', ')],
    [words.buyerReference, buyerReference],
    [words.purchaseOrder, purchaseOrder],
    [words.paymentReference, isInvoice && seller.bank === null ? paymentReference : null],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

function correctedText({ number, issueDate }: CorrectedInvoice, figures: Figures): string {
  return issueDate === null ? number : `${number} (${figures.date(issueDate)})`
}

function reasonNote(invoice: Invoice, words: InvoiceWords): string[] {
  const reason = reasonOf(invoice, words)
  return reason === null ? [] : [say(words.reason, { reason })]
}

function rateNote({ exchange }: Invoice, { words, figures }: Terms): string[] {
  const rate = exchange?.converted?.rate
  if (rate === undefined) return []
  const { date, base, quote } = rate
  const number = figures.number(decimalToString(rate.rate))
  return [say(words.exchangeRate, { date: figures.date(date), base, quote, rate: number })]
}

function addressOf({ line1, line2, postalCode, city, region, country }: Address, language: string): string[] {
  const countryName = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country
  const place = postalCode === null ? city : `${postalCode} ${city}`
  return [line1, line2, place, region, countryName].filter((line) => line !== null)
}

function headlineOf({ type, state, amountDue, dueDate }: Invoice, { words, figures }: Terms): string | null {
  if (type === 'credit_note') return null
  if (state === 'paid') return words.paid
  if (!amountDue.isPositive()) return null
  return say(words.due, { amount: figures.money(amountDue), date: figures.date(dueDate) })
}

interface RowContext {
  readonly invoice: Invoice
  readonly terms: Terms
  readonly isTaxed: boolean
  readonly timeZone: TimeZone
}

/** An amount contains the tax if its price does. */
function rowOf(line: InvoiceLine, { invoice, terms, isTaxed, timeZone }: RowContext): Row {
  const { period, discount, change } = line
  const { words, figures } = terms
  const included = change?.discount
  return {
    item: itemOf(line, terms, timeZone),
    details: [
      ...(period === null ? [] : [periodText(period, figures, timeZone)]),
      ...(discount.isZero() ? [] : [`${words.discount} ${figures.amount(discount.negated())}`]),
      ...(included === undefined ? [] : [say(words.discountIncluded, { amount: figures.money(included) })]),
    ],
    quantity: quantityText(line.quantity, figures),
    price: figures.number(decimalToString(line.unitAmount, minorDigits(invoice.currency))),
    tax: isTaxed ? rateText(line, figures) : null,
    amount: figures.amount(invoice.taxBehavior === 'inclusive' ? line.total : line.net),
  }
}

/** What a plan's change bills or takes back of an item has the item's label, which by itself says neither. */
function itemOf(
  { label, change, period }: InvoiceLine,
  { words, figures }: Terms,
  timeZone: TimeZone,
): string {
  if (change === undefined || period === null) return label
  return say(change.kind === 'unused' ? words.unusedTime : words.remainingTime, {
    quantity: figures.number(String(change.units)),
    item: label,
    date: figures.date(periodDates(period, timeZone).start),
  })
}

function periodText(
  period: NonNullable<InvoiceLine['period']>,
  figures: Figures,
  timeZone: TimeZone,
): string {
  const { start, end } = periodDates(period, timeZone)
  return start === end ? figures.date(start) : `${figures.date(start)} – ${figures.date(end)}`
}

function quantityText(quantity: Decimal, figures: Figures): string {
  const text = decimalToString(quantity)
  return text.startsWith('-') ? `\u2212${figures.number(text.slice(1))}` : figures.number(text)
}

function rateText({ rates, treatment }: InvoiceLine, figures: Figures): string {
  if (treatment === 'not_registered') return '–'
  return rates.length === 0
    ? '0%'
    : rates.map(({ percentage }) => percentText(percentage, figures)).join(' + ')
}

function percentText(percentage: Decimal, figures: Figures): string {
  return `${figures.number(decimalToString(percentage))}%`
}

function nameOf({ name, percentage, treatment }: TaxGroup, { words, figures }: Terms): string {
  return treatment === 'taxed' ? `${name} ${percentText(percentage, figures)}` : words.treatments[treatment]
}

function sumsOf(invoice: Invoice, { words, figures }: Terms, isTaxed: boolean): Sum[] {
  const { netTotal, taxTotal, total, prepaid, creditedTotal } = invoice
  const amountDue = claimOf(invoice)
  const sum = (label: string, amount: Money): Sum => ({
    label,
    amount: figures.amount(amount),
    emphasis: 'none',
  })
  const sums: Sum[] = isTaxed ? [sum(words.subtotal, netTotal), sum(words.tax, taxTotal)] : []
  const converted = invoice.exchange?.converted?.total
  if (converted !== undefined) {
    sums.push(sum(say(words.taxIn, { currency: converted.currency }), converted))
  }
  sums.push({ label: words.total, amount: figures.money(total), emphasis: 'total' })
  if (invoice.type === 'credit_note')
    return [...sums, ...settlementOf(invoice, words).map((part) => sum(part.label, part.amount))]
  const settledTotal = total.minus(prepaid).minus(amountDue)
  // What a note gave as credit of the plan is due again if its payment was lost.
  const credited = creditedTotal.greaterThan(settledTotal) ? settledTotal : creditedTotal
  const paid = settledTotal.minus(credited)
  const settled: [string, Money][] = [
    [words.prepaid, prepaid],
    [words.credited, credited],
    [words.amountPaid, paid],
  ]
  for (const [label, amount] of settled) if (amount.isPositive()) sums.push(sum(label, amount.negated()))
  return [...sums, { label: words.amountDue, amount: figures.money(amountDue), emphasis: 'bold' }]
}

/** The account and the reference of a transfer. */
export function transferFacts(
  { seller, paymentReference }: Pick<Invoice, 'seller' | 'paymentReference'>,
  words: InvoiceWords,
): Fact[] {
  if (seller.bank === null) return []
  const { iban, bic, accountNumber, bankCode, branchCode, bankName, accountHolder, fpsId } = seller.bank
  const facts: [string, string | null | undefined][] = [
    [words.accountHolder, accountHolder ?? seller.name],
    ['IBAN', iban?.replace(/(.{4})(?=.)/g, '$1 ')],
    [words.accountNumber, accountNumber],
    [words.bankName, bankName],
    [words.bankCode, bankCode],
    [words.branchCode, branchCode],
    ['BIC', bic],
    [words.fpsId, fpsId],
    [words.paymentReference, paymentReference],
  ]
  return facts.flatMap(([label, value]) => (value == null ? [] : [{ label, value }]))
}
