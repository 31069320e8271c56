import { cardBrandName } from '#kernel/card-brands'
import type { Transaction } from '#modules/payments'
import type { Figures } from '#platform/documents/figures'
import type { Payment } from '#platform/documents/document-texts'
import type { InvoiceWords, ShownMethod } from '../invoice-words.ts'

/** - `payer`: Who sent a transfer, as the bank names them. */
export interface MovedMoney extends Pick<
  Transaction,
  'type' | 'state' | 'amount' | 'valueDate' | 'paymentMethod' | 'instrument' | 'answer'
> {
  readonly payer?: string | undefined
}

/** What was paid and given back, in the order in which money moved. */
export function paymentRows(moved: readonly MovedMoney[], words: InvoiceWords, figures: Figures): Payment[] {
  return moved
    .filter(({ type, state }) => state === 'succeeded' && type !== 'Authorization')
    .toSorted((one, other) => (one.valueDate ?? '').localeCompare(other.valueDate ?? ''))
    .map((money) => ({
      date: money.valueDate === null ? '' : figures.date(money.valueDate),
      description: [
        ...(money.type === 'Refund' ? [words.refund] : []),
        methodText(money, words),
        money.payer ?? money.instrument.holderName ?? '',
        referenceOf(money),
      ]
        .filter((part) => part !== '')
        .join(' · '),
      amount: figures.amount(money.amount),
    }))
}

function methodText(money: MovedMoney, words: InvoiceWords): string {
  const { brand, last4 } = money.instrument
  const method = methodOf(money)
  if (method !== 'card' || last4 === null) return words.methods[method]
  return `${cardBrandName(brand ?? '') ?? words.methods.card} **** ${last4}`
}

function methodOf({ paymentMethod, instrument }: MovedMoney): ShownMethod {
  switch (paymentMethod) {
    case 'fps':
    case 'bank_transfer':
    case 'cash':
    case 'cheque':
    case 'other':
      return paymentMethod
    case 'credit_card':
      return 'card'
    case 'wallet_a_pay':
    case 'wallet_b':
      return 'wallet'
    case 'payment_token':
      return instrument.acquirerType === 'wallet' ? 'wallet' : 'card'
  }
}

/** Payers know the number of a transfer or a cheque, not that of an acquirer's payment. */
function referenceOf({ instrument, answer }: MovedMoney): string {
  const isOutside = instrument.acquirerType === 'bank' || instrument.acquirerType === 'manual'
  return isOutside ? answer.gatewayTransactionId : ''
}
