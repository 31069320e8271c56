import type { Wallets } from '../port/adapter.ts'
import type { PayerDevice, WalletMethod, WalletName } from '../port/port.ts'

/** Methods that the payer confirms in an app: of a wallet, or of a bank for FPS. */
export const WALLET_METHODS = ['wallet_a_pay', 'wallet_b', 'fps'] as const satisfies readonly WalletMethod[]
export const PAYER_DEVICES = ['desktop', 'ios', 'android'] as const satisfies readonly PayerDevice[]
/** The real wallets behind `wallet_a_pay` and `wallet_b`. */
export const WALLET_NAMES = ['wechat_pay', 'alipay', 'alipay_hk'] as const satisfies readonly WalletName[]

const FPS_CURRENCIES = ['HKD', 'CNY'] as const
const ALIPAY_HK_CURRENCIES = ['HKD'] as const

/** The real wallet that an account takes as this method. Null at the simulator, and for methods that are no wallet. */
export function walletOf(wallets: Wallets | undefined, method: string): WalletName | null {
  if (method === 'wallet_a_pay') return wallets?.walletA ?? null
  return method === 'wallet_b' ? (wallets?.walletB ?? null) : null
}

/** The currencies of FPS and AlipayHK (reference/acquirers#routing). Null where the acquirer decides. */
export function methodCurrencies(method: string, wallets?: Wallets): readonly string[] | null {
  if (method === 'fps') return FPS_CURRENCIES
  return walletOf(wallets, method) === 'alipay_hk' ? ALIPAY_HK_CURRENCIES : null
}
