import { say } from '#kernel/say'
import { toRfc3339 } from '#kernel/clock'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Logo } from '#modules/businesses'
import type { PaymentToken } from '#modules/customers'
import { outsideMethodText } from '#modules/invoices'
import { correspondenceState, payerReference, type Transaction } from '#modules/payments'
import type { DocumentTexts, Fact, Payment, Sum } from '#platform/documents/document-texts'
import { type Figures, figuresOf } from '#platform/documents/figures'
import { brandName } from '../instruments/card-brand.ts'
import type { Language } from '../words/language.ts'
import { balanceOf, type SummaryLine, summaryOf } from '../words/order-summary.ts'
import type { PaymentView } from '../model/payment-view.ts'
import { walletsNamed, withWalletNames } from '../words/all-words.ts'
import { type Words } from '../words/words.ts'

export interface DocumentContent {
  readonly view: PaymentView
  readonly customerName: string | null
  readonly logo: Logo | undefined
  readonly tokenTypes: ReadonlyMap<string, PaymentToken['tokenType']>
  readonly timeZone: TimeZone
  readonly paymentLink: string | null
  readonly language: Language
  readonly words: Words
}

export function documentOf(content: DocumentContent): DocumentTexts {
  const { view, words, language, paymentLink } = content
  const { order } = view
  const figures = figuresOf(language)
  return {
    language,
    title: isReceipt(view) ? words.receipt : words.invoice,
    businessName: view.businessName,
    logo: logoOf(content),
    contacts: [view.brand.phone, view.brand.email, view.brand.website].filter((one) => one !== null),
    testMode: view.environment === 'test' ? words.testMode : null,
    referenceNumber: payerReference(order),
    createdAt: toRfc3339(order.createdAt),
    facts: factsOf(content, figures),
    parties: [],
    headline: null,
    titles: {
      item: words.item,
      details: [],
      quantity: words.quantity,
      price: words.price,
      tax: null,
      amount: `${words.amount} (${order.currency})`,
    },
    rows: summaryOf(order, words).items.map(({ label, quantity, price, total }) => ({
      item: label,
      details: [],
      quantity: String(quantity),
      price: figures.amount(price),
      tax: null,
      amount: figures.amount(total),
    })),
    sums: sumsOf(view, words, figures),
    taxes: null,
    paymentsTitle: words.payments,
    payments: paymentsOf(content, figures),
    transferTitle: '',
    transfer: [],
    transferCode: null,
    paymentLink,
    scanToPay: words.scanToPay,
    notes: [],
    footer: null,
    pageNumber: words.page,
    attachment: null,
  }
}

function logoOf({ logo }: DocumentContent): string | null {
  if (logo === undefined || logo.type === 'image/webp') return null
  return `data:${logo.type};base64,${logo.content.toString('base64')}`
}

export function isReceipt({ order }: PaymentView): boolean {
  return order.state !== 'open' || correspondenceState(order) === 'paid'
}

function factsOf({ view, words, timeZone, customerName }: DocumentContent, { date }: Figures): Fact[] {
  const { order } = view
  const paidOn = isReceipt(view) ? lastPaidOn(view.transactions) : null
  const facts: [string, string | null][] = [
    [words.documentNumber, order.id],
    [words.referenceNumber, payerReference(order)],
    [words.issuedOn, date(localDateOf(order.createdAt, timeZone).toString())],
    [words.dueOn, paidOn === null && order.dueDate !== null ? date(order.dueDate) : null],
    [words.paidOn, paidOn === null ? null : date(paidOn)],
    [words.billedTo, customerName],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

function lastPaidOn(transactions: readonly Transaction[]): string | null {
  return (
    transactions.findLast(({ type, state }) => state === 'succeeded' && type !== 'Refund')?.valueDate ?? null
  )
}

function sumsOf(view: PaymentView, words: Words, figures: Figures): Sum[] {
  const plainSum = ({ label, total: amount }: SummaryLine): Sum => ({
    label,
    amount: figures.amount(amount),
    emphasis: 'none',
  })
  const { adjustments, subtotal, tips, total } = summaryOf(view.order, words)
  const { lines, left } = balanceOf(view, words)
  return [
    ...adjustments.map(plainSum),
    ...(subtotal === null ? [] : [plainSum({ label: words.subtotal, total: subtotal })]),
    ...tips.map(plainSum),
    { label: words.total, amount: figures.money(total), emphasis: 'total' },
    ...lines.map(plainSum),
    ...(left === null
      ? []
      : [{ label: words.leftToPay, amount: figures.money(left), emphasis: 'bold' } as const]),
  ]
}

function paymentsOf(content: DocumentContent, figures: Figures): Payment[] {
  const { view, timeZone, words } = content
  return view.transactions
    .filter(({ type, state }) => state === 'succeeded' && type !== 'Authorization')
    .map((transaction) => ({
      date: figures.date(transaction.valueDate ?? localDateOf(transaction.createdAt, timeZone).toString()),
      description: [
        ...(transaction.type === 'Refund' ? [words.refund] : []),
        methodOf(transaction, content),
        say(words.receiptNumber, { number: transaction.receiptNumber.toString() }),
      ].join(' · '),
      amount: figures.amount(transaction.amount),
    }))
}

function methodOf(
  transaction: Transaction,
  { words: given, tokenTypes, view, language }: DocumentContent,
): string {
  const words = withWalletNames(given, view.brand.walletNames, walletsNamed(transaction.instrument.wallet))
  const { instrument, paymentMethod, token } = transaction
  if (instrument.last4 !== null) return `${brandName(instrument.brand ?? '', words)} **** ${instrument.last4}`
  if (paymentMethod === 'fps') return words.fps
  const outside = outsideMethodText(paymentMethod, language)
  if (outside !== undefined) return outside
  const isWalletB = paymentMethod === 'wallet_b' || tokenTypes.get(token ?? '') === 'WalletBAutoDebit'
  return isWalletB ? words.walletB : words.walletAPay
}
