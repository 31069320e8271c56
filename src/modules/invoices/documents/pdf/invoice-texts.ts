import { minorDigits } from '#kernel/currencies'
import { type Decimal, decimalToString } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { Attachment, DocumentTexts, Fact, Row, Sum } from '#platform/documents/document-texts'
import { amountText, groupedText, moneyText } from '#platform/documents/money-text'
import { type Address, isVatId, type TaxGroup, type TaxId } from '#modules/taxes'
import type { Invoice, InvoiceLine } from '../../model/invoice.ts'
import { type InvoiceWords, invoiceWords } from '../invoice-words.ts'
import { correctedText, reasonOf, settlementOf } from '../note-texts.ts'
import { periodDates } from '../period-dates.ts'
import { taxIdName } from '../tax-id-names.ts'
import { claimOf, notesOf } from '../xml/e-invoice.ts'

/**
 * - `language`: BCP 47. Documents have English and Chinese words; another language gets English ones.
 * - `timeZone`: The business's, for the dates of periods.
 * - `paymentLink`: Shown while something is due.
 */
export interface PdfOptions {
  readonly language: string
  readonly timeZone: TimeZone
  readonly isTest: boolean
  readonly logo: { readonly type: string; readonly content: Buffer } | null
  readonly paymentLink: string | null
}

export function invoiceTexts(
  invoice: Invoice,
  options: PdfOptions,
  attachment: Attachment | null,
): DocumentTexts {
  const { language, words } = invoiceWords(options.language)
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
    facts: factsOf(invoice, words),
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
    headline: headlineOf(invoice, words),
    titles: {
      item: words.item,
      details: [],
      quantity: words.quantity,
      price: words.unitPrice,
      tax: isTaxed ? words.rate : null,
      amount: `${words.amount} (${currency})`,
    },
    rows: lines.map((line) => rowOf(line, { invoice, words, isTaxed, timeZone: options.timeZone })),
    sums: sumsOf(invoice, words, isTaxed),
    taxes: isTaxed
      ? {
          titles: { name: words.taxRate, base: words.taxableAmount, amount: words.tax },
          rows: invoice.taxes.map((group) => ({
            name: nameOf(group, words),
            base: amountText(group.base),
            amount: amountText(group.amount),
          })),
        }
      : null,
    paymentsTitle: '',
    payments: [],
    transferTitle: words.transfer,
    transfer: isPayable ? transferOf(invoice, words) : [],
    paymentLink: isPayable ? options.paymentLink : null,
    scanToPay: words.scanToPay,
    notes: [...reasonNote(invoice, words), ...notesOf(invoice), ...rateNote(invoice, words)],
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

function factsOf(invoice: Invoice, words: InvoiceWords): Fact[] {
  const { number, issueDate, dueDate, corrected, seller, paymentReference, buyerReference, purchaseOrder } =
    invoice
  const isInvoice = invoice.type === 'invoice'
  const facts: [string, string | null][] = [
    [words.number, number],
    [words.issueDate, issueDate],
    [words.dueDate, isInvoice ? dueDate : null],
    [words.correctedInvoice, corrected.length === 0 ? null : corrected.map(correctedText).join(', ')],
    [words.buyerReference, buyerReference],
    [words.purchaseOrder, purchaseOrder],
    [words.paymentReference, isInvoice && seller.bank === null ? paymentReference : null],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

function reasonNote(invoice: Invoice, words: InvoiceWords): string[] {
  const reason = reasonOf(invoice, words)
  return reason === null ? [] : [words.reason.replace('{reason}', () => reason)]
}

function rateNote({ exchange }: Invoice, words: InvoiceWords): string[] {
  const rate = exchange?.converted?.rate
  if (rate === undefined) return []
  const values: Readonly<Record<string, string>> = { ...rate, rate: decimalToString(rate.rate) }
  return [words.exchangeRate.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')]
}

function addressOf({ line1, line2, postalCode, city, region, country }: Address, language: string): string[] {
  const countryName = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country
  const place = postalCode === null ? city : `${postalCode} ${city}`
  return [line1, line2, place, region, countryName].filter((line) => line !== null)
}

function headlineOf({ type, state, amountDue, dueDate }: Invoice, words: InvoiceWords): string | null {
  if (type === 'credit_note') return null
  if (state === 'paid') return words.paid
  if (!amountDue.isPositive()) return null
  return words.due.replace('{amount}', moneyText(amountDue)).replace('{date}', dueDate)
}

interface RowContext {
  readonly invoice: Invoice
  readonly words: InvoiceWords
  readonly isTaxed: boolean
  readonly timeZone: TimeZone
}

/** An amount contains the tax if its price does. */
function rowOf(line: InvoiceLine, { invoice, words, isTaxed, timeZone }: RowContext): Row {
  const { period, discount } = line
  return {
    item: line.label,
    details: [
      ...(period === null ? [] : [periodText(period, timeZone)]),
      ...(discount.isZero() ? [] : [`${words.discount} ${amountText(discount.negated())}`]),
    ],
    quantity: quantityText(line.quantity),
    price: groupedText(decimalToString(line.unitAmount, minorDigits(invoice.currency))),
    tax: isTaxed ? rateText(line) : null,
    amount: amountText(invoice.taxBehavior === 'inclusive' ? line.total : line.net),
  }
}

function periodText(period: NonNullable<InvoiceLine['period']>, timeZone: TimeZone): string {
  const { start, end } = periodDates(period, timeZone)
  return start === end ? start : `${start} – ${end}`
}

function quantityText(quantity: Decimal): string {
  return decimalToString(quantity).replace('-', '\u2212')
}

function rateText({ rates, treatment }: InvoiceLine): string {
  if (treatment === 'not_registered') return '–'
  return rates.length === 0 ? '0%' : rates.map(({ percentage }) => percentText(percentage)).join(' + ')
}

function percentText(percentage: Decimal): string {
  return `${decimalToString(percentage)}%`
}

function nameOf({ name, percentage, treatment }: TaxGroup, words: InvoiceWords): string {
  return treatment === 'taxed' ? `${name} ${percentText(percentage)}` : words.treatments[treatment]
}

function sumsOf(invoice: Invoice, words: InvoiceWords, isTaxed: boolean): Sum[] {
  const { netTotal, taxTotal, total, prepaid, creditedTotal } = invoice
  const amountDue = claimOf(invoice)
  const sum = (label: string, amount: Money): Sum => ({ label, amount: amountText(amount), emphasis: 'none' })
  const sums: Sum[] = isTaxed ? [sum(words.subtotal, netTotal), sum(words.tax, taxTotal)] : []
  const converted = invoice.exchange?.converted?.total
  if (converted !== undefined)
    sums.push(sum(words.taxIn.replace('{currency}', converted.currency), converted))
  sums.push({ label: words.total, amount: moneyText(total), emphasis: 'total' })
  if (invoice.type === 'credit_note')
    return [...sums, ...settlementOf(invoice, words).map((part) => sum(part.label, part.amount))]
  const paid = total.minus(prepaid).minus(creditedTotal).minus(amountDue)
  const settled: [string, Money][] = [
    [words.prepaid, prepaid],
    [words.credited, creditedTotal],
    [words.amountPaid, paid],
  ]
  for (const [label, amount] of settled) if (amount.isPositive()) sums.push(sum(label, amount.negated()))
  return [...sums, { label: words.amountDue, amount: moneyText(amountDue), emphasis: 'bold' }]
}

function transferOf({ seller, paymentReference }: Invoice, words: InvoiceWords): Fact[] {
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
