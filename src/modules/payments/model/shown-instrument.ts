import { type RoutedAccount, WALLET_METHODS, type WalletMethod, walletOf } from '#modules/acquirers'
import type { NewCharge } from './charge.ts'
import type { PaymentMethodName, ShownInstrument } from './transaction.ts'

export const NO_INSTRUMENT: ShownInstrument = {
  acquirerType: 'card',
  brand: null,
  first6: null,
  last4: null,
  numberLength: null,
  holderName: null,
  expMonth: null,
  expYear: null,
}

/** Which real wallet it is depends on the account. */
export function withWalletOf(
  { wallets }: Pick<RoutedAccount, 'wallets'>,
  method: PaymentMethodName,
  shown: ShownInstrument,
): ShownInstrument {
  if (!isWalletMethod(method)) return shown
  const { wallet: _, ...instrument } = shown
  const wallet = walletOf(wallets, method)
  return wallet === null ? instrument : { ...instrument, wallet }
}

export function isWalletMethod(method: string): method is WalletMethod {
  return WALLET_METHODS.some((wallet) => wallet === method)
}

export function directMethod(
  direct: NewCharge['direct'] | null,
): Exclude<PaymentMethodName, 'bank_transfer' | 'cash' | 'cheque' | 'other'> {
  const type = direct?.instrument.type
  if (type === undefined) return 'payment_token'
  return isWalletMethod(type) ? type : 'credit_card'
}

/** FPS is paid from a bank account, in the app of the bank. */
export function shownWallet(method: WalletMethod, returnUrl?: string): ShownInstrument {
  return {
    ...NO_INSTRUMENT,
    acquirerType: method === 'fps' ? 'bank' : 'wallet',
    ...(returnUrl !== undefined && { returnUrl }),
  }
}
