import { readdirSync, readFileSync } from 'node:fs'
import type { Treatment } from '#modules/taxes'
import type { NoteCause } from '../model/invoice.ts'

export type Untaxed = Exclude<Treatment, 'taxed'>
export type ShownMethod = 'card' | 'wallet' | 'fps' | 'bank_transfer' | 'cash' | 'cheque' | 'other'

/** The texts of documents in a language. What stands in braces is the name of a value. */
export interface InvoiceWords {
  readonly invoice: string
  readonly creditNote: string
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string
  readonly correctedInvoice: string
  readonly reason: string
  readonly reasons: Readonly<Record<Exclude<NoteCause, 'request'>, string>>
  readonly takenOffDue: string
  readonly refund: string
  readonly refundToCard: string
  readonly addedToCredit: string
  readonly paymentReference: string
  readonly seller: string
  readonly buyer: string
  readonly vatId: string
  readonly due: string
  readonly paid: string
  readonly item: string
  readonly quantity: string
  readonly unitPrice: string
  readonly rate: string
  readonly tax: string
  readonly amount: string
  readonly discount: string
  readonly discountIncluded: string
  readonly unusedTime: string
  readonly remainingTime: string
  readonly subtotal: string
  readonly taxIn: string
  readonly exchangeRate: string
  readonly total: string
  readonly prepaid: string
  readonly credited: string
  readonly amountPaid: string
  readonly amountDue: string
  readonly taxRate: string
  readonly taxableAmount: string
  readonly payments: string
  readonly methods: Readonly<Record<ShownMethod, string>>
  readonly transfer: string
  readonly accountHolder: string
  readonly accountNumber: string
  readonly bankName: string
  readonly bankCode: string
  readonly branchCode: string
  readonly fpsId: string
  readonly buyerReference: string
  readonly purchaseOrder: string
  readonly hkBusinessRegistration: string
  readonly scanToTransfer: string
  readonly scanToPay: string
  readonly page: string
  readonly testMode: string
  readonly treatments: Readonly<Record<Untaxed, string>>
  readonly whyUntaxed: Readonly<Record<Untaxed | 'exemptBecause', string>>
}

const FOLDER = new URL('./languages/', import.meta.url)

/** By BCP 47 tag. A language is added by its file alone. */
export const INVOICE_WORDS: ReadonlyMap<string, InvoiceWords> = new Map(
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as InvoiceWords,
  ]),
)

/**
 * Returns the words for the readers of a language, else English ones.
 * @param tag BCP 47
 * @returns `locale`: how these readers write dates and amounts.
 */
export function invoiceWords(tag: string): {
  readonly language: string
  readonly locale: string
  readonly words: InvoiceWords
} {
  const locale = new Intl.Locale(tag).maximize()
  const isChinese = locale.language === 'zh' || locale.language === 'yue'
  const language = isChinese ? `zh-${locale.script ?? 'Hant'}` : locale.language
  const words = INVOICE_WORDS.get(language)
  if (words !== undefined) return { language, locale: isChinese ? language : tag, words }
  return { language: 'en', locale: 'en', words: INVOICE_WORDS.get('en') as InvoiceWords }
}
