import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Logo } from '#modules/businesses'
import type { PaymentToken } from '#modules/customers'
import { correspondenceState, type Transaction } from '#modules/payments'
import { brandName } from '../instruments/card-brand.ts'
import type { Language } from '../words/language.ts'
import { amountText, moneyText } from '../words/money-text.ts'
import { balanceOf, type SummaryLine, summaryOf } from '../words/order-summary.ts'
import type { PaymentView } from '../pages/payment/payment-view.ts'
import { say, type Words } from '../words/words.ts'

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

export interface DocumentTexts {
  readonly language: Language
  readonly title: string
  readonly businessName: string
  readonly logo: string | null
  readonly contacts: readonly string[]
  readonly testMode: string | null
  readonly referenceNumber: string
  readonly facts: readonly Fact[]
  readonly titles: Row
  readonly rows: readonly Row[]
  readonly sums: readonly Sum[]
  readonly paymentsTitle: string
  readonly payments: readonly Payment[]
  readonly paymentLink: string | null
  readonly scanToPay: string
  readonly pageNumber: string
}

interface Fact {
  readonly label: string
  readonly value: string
}

interface Row {
  readonly item: string
  readonly quantity: string
  readonly price: string
  readonly amount: string
}

interface Sum {
  readonly label: string
  readonly amount: string
  readonly emphasis: 'none' | 'bold' | 'total'
}

interface Payment {
  readonly date: string
  readonly description: string
  readonly amount: string
}

export function documentOf(content: DocumentContent): DocumentTexts {
  const { view, words, language, paymentLink } = content
  const { order } = view
  return {
    language,
    title: isReceipt(view) ? words.receipt : words.invoice,
    businessName: view.businessName,
    logo: logoOf(content),
    contacts: [view.brand.phone, view.brand.email, view.brand.website].filter((one) => one !== null),
    testMode: view.environment === 'test' ? words.testMode : null,
    referenceNumber: order.referenceNumber,
    facts: factsOf(content),
    titles: {
      item: words.item,
      quantity: words.quantity,
      price: words.price,
      amount: `${words.amount} (${order.currency})`,
    },
    rows: summaryOf(order, words).items.map(({ label, quantity, price, total }) => ({
      item: label,
      quantity: String(quantity),
      price: amountText(price),
      amount: amountText(total),
    })),
    sums: sumsOf(view, words),
    paymentsTitle: words.payments,
    payments: paymentsOf(content),
    paymentLink,
    scanToPay: words.scanToPay,
    pageNumber: words.page,
  }
}

function logoOf({ logo }: DocumentContent): string | null {
  if (logo === undefined || logo.type === 'image/webp') return null
  return `data:${logo.type};base64,${logo.content.toString('base64')}`
}

export function isReceipt({ order }: PaymentView): boolean {
  return order.state !== 'open' || correspondenceState(order) === 'paid'
}

function factsOf({ view, words, timeZone, customerName }: DocumentContent): Fact[] {
  const { order } = view
  const paidAt = isReceipt(view) ? lastPaidAt(view.transactions) : null
  const facts: [string, string | null][] = [
    [words.documentNumber, order.id],
    [words.referenceNumber, order.referenceNumber],
    [words.issuedOn, localDateOf(order.createdAt, timeZone).toString()],
    [words.dueOn, paidAt === null ? order.dueDate : null],
    [words.paidOn, paidAt === null ? null : localDateOf(paidAt, timeZone).toString()],
    [words.billedTo, customerName],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

function lastPaidAt(transactions: readonly Transaction[]): Transaction['succeededAt'] {
  return (
    transactions.findLast(({ type, state }) => state === 'succeeded' && type !== 'Refund')?.succeededAt ??
    null
  )
}

function sumsOf(view: PaymentView, words: Words): Sum[] {
  const { adjustments, subtotal, tips, total } = summaryOf(view.order, words)
  const { lines, left } = balanceOf(view, words)
  return [
    ...adjustments.map(plainSum),
    ...(subtotal === null ? [] : [plainSum({ label: words.subtotal, total: subtotal })]),
    ...tips.map(plainSum),
    { label: words.total, amount: moneyText(total), emphasis: 'total' },
    ...lines.map(plainSum),
    ...(left === null
      ? []
      : [{ label: words.leftToPay, amount: moneyText(left), emphasis: 'bold' } as const]),
  ]
}

function plainSum({ label, total }: SummaryLine): Sum {
  return { label, amount: amountText(total), emphasis: 'none' }
}

function paymentsOf(content: DocumentContent): Payment[] {
  const { view, timeZone, words } = content
  return view.transactions
    .filter(({ type, state }) => state === 'succeeded' && type !== 'Authorization')
    .map((transaction) => ({
      date: localDateOf(transaction.succeededAt ?? transaction.createdAt, timeZone).toString(),
      description: [
        ...(transaction.type === 'Refund' ? [words.refund] : []),
        methodOf(transaction, content),
        say(words.receiptNumber, { number: transaction.receiptNumber.toString() }),
      ].join(' · '),
      amount: amountText(transaction.amount),
    }))
}

function methodOf(transaction: Transaction, { words, tokenTypes }: DocumentContent): string {
  const { instrument, paymentMethod, token } = transaction
  if (instrument.last4 !== null) return `${brandName(instrument.brand ?? '', words)} **** ${instrument.last4}`
  const isWalletB = paymentMethod === 'wallet_b' || tokenTypes.get(token ?? '') === 'WalletBAutoDebit'
  return isWalletB ? words.walletB : words.walletAPay
}
