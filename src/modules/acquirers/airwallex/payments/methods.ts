import type { Wallets } from '../../port/adapter.ts'
import type { AirwallexResponse } from '../wire/airwallex-client.ts'
import { textOf } from '../wire/members.ts'
import type { Instrument, PayerDevice, WalletMethod, WalletName } from '../../port/port.ts'

export type CardInstrument = Extract<Instrument, { type: 'card' }>

/** Airwallex's names of the wallets. */
export const TYPES: Readonly<Record<WalletName, string>> = {
  wechat_pay: 'wechatpay',
  alipay: 'alipaycn',
  alipay_hk: 'alipayhk',
}

export function walletOf({ walletA, walletB }: Wallets, method: WalletMethod): WalletName | null {
  if (method === 'fps') return null
  return method === 'wallet_a_pay' ? walletA : walletB
}

/** A flow has two spellings. Documents show the old one for FPS and the new one for wallets, and neither is certain. */
export type Spelling = 'documented' | 'other'
const FLOWS = {
  fps: { documented: 'webqr', other: 'qrcode' },
  code: { documented: 'qrcode', other: 'webqr' },
  app: { documented: 'mobile_web', other: 'mweb' },
} as const

/** The `payment_method` of a wallet or of FPS; null for a wallet that the account does not take. */
export function walletForm(
  wallets: Wallets,
  method: WalletMethod,
  device: PayerDevice = 'desktop',
  spelling: Spelling = 'documented',
): Readonly<Record<string, unknown>> | null {
  if (method === 'fps') return { type: 'fps', fps: { flow: FLOWS.fps[spelling] } }
  const wallet = walletOf(wallets, method)
  if (wallet === null) return null
  const type = TYPES[wallet]
  if (device === 'desktop') return { type, [type]: { flow: FLOWS.code[spelling] } }
  const flow = FLOWS.app[spelling]
  return { type, [type]: wallet === 'wechat_pay' ? { flow } : { flow, os_type: device } }
}

/** Whether Airwallex refused the spelling of the flow, and so has run nothing. */
export function isFlowRefused(answer: AirwallexResponse): boolean {
  return (
    answer.kind === 'error' &&
    answer.code === 'validation_error' &&
    /(^|\.)flow$/.test(textOf(answer.error.source) ?? '')
  )
}

export function cardForm({ number, expMonth, expYear, holderName, cvc }: CardInstrument) {
  return {
    type: 'card',
    card: {
      number,
      expiry_month: String(expMonth).padStart(2, '0'),
      expiry_year: String(expYear),
      ...(holderName !== '' && { name: holderName }),
      ...(cvc !== undefined && { cvc }),
    },
  }
}

export function isConsentId(text: string): boolean {
  return /^cst_\w{1,60}$/.test(text)
}
