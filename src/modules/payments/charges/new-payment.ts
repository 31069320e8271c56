import { derivedId, msOfId, newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import type { RoutedAccount } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import type { NewCharge } from '../model/charge.ts'
import type { Order } from '../model/order.ts'
import { INITIATED, type ShownInstrument, type Transaction } from '../model/transaction.ts'
import { directMethod, NO_INSTRUMENT, withWalletOf } from '../model/shown-instrument.ts'

export function newPayment(
  order: Order,
  charge: Pick<NewCharge, 'type' | 'token' | 'direct' | 'referenceId' | 'note' | 'at'>,
  amount: Money,
  account: Pick<RoutedAccount, 'id' | 'acquirerName' | 'merchantId' | 'wallets'>,
  id: string = newId('txn'),
): Transaction {
  const { token, direct, at } = charge
  const paymentMethod = token === null ? directMethod(direct) : 'payment_token'
  const instrument = token === null ? (direct?.shown ?? NO_INSTRUMENT) : shownToken(token)
  return {
    id,
    orderId: order.id,
    ...INITIATED,
    type: charge.type,
    currency: order.currency,
    amount,
    referenceId: charge.referenceId ?? null,
    originalId: null,
    paymentMethod,
    token: token?.token ?? null,
    instrument: withWalletOf(account, paymentMethod, instrument),
    note: charge.note ?? null,
    fallbackOf: null,
    acquirerAccountId: account.id,
    acquirerName: account.acquirerName,
    merchantId: account.merchantId,
    createdAt: at,
    updatedAt: at,
  }
}

export function attemptId({ id: orderId }: Order, used: readonly Pick<Transaction, 'id'>[]): string {
  const taken = new Set(used.map(({ id }) => id))
  for (let attempt = 1; ; attempt++) {
    const id = derivedId('txn', msOfId(orderId), `${orderId} ${attempt}`)
    if (!taken.has(id)) return id
  }
}

function shownToken(token: PaymentToken): ShownInstrument {
  return {
    acquirerType: token.tokenType === 'CreditCard' ? 'card' : 'wallet',
    brand: token.brand,
    first6: token.first6,
    last4: token.last4,
    numberLength: token.numberLength,
    holderName: token.holderName,
    expMonth: token.expMonth,
    expYear: token.expYear,
    ...(token.walletName !== null && { wallet: token.walletName }),
  }
}
