import type { Members } from '../port/members.ts'
import { textOf } from './members.ts'

export interface Decline {
  readonly hard: boolean
  readonly reason: string
}

type Row = readonly [code: number, reason: string, word: string, hard?: 'hard']

const REFUSALS: readonly Row[] = [
  [2, 'Refused', 'card_declined'],
  [3, 'Referral', 'card_declined'],
  [4, 'Acquirer Error', 'card_declined'],
  [5, 'Blocked Card', 'stolen_card', 'hard'],
  [6, 'Expired Card', 'expired_card'],
  [7, 'Invalid Amount', 'card_declined'],
  [8, 'Invalid Card Number', 'card_declined', 'hard'],
  [9, 'Issuer Unavailable', 'card_declined'],
  [10, 'Not supported', 'card_declined'],
  [11, '3D Not Authenticated', 'authentication_failed'],
  [12, 'Not enough balance', 'insufficient_funds'],
  [14, 'Acquirer Fraud', 'card_declined', 'hard'],
  [15, 'Cancelled', 'payer_declined'],
  [16, 'Shopper Cancelled', 'payer_declined'],
  [17, 'Invalid Pin', 'card_declined'],
  [18, 'Pin tries exceeded', 'card_velocity_exceeded'],
  [19, 'Pin validation not possible', 'card_declined'],
  [20, 'FRAUD', 'card_declined'],
  [21, 'Not Submitted', 'card_declined'],
  [22, 'FRAUD-CANCELLED', 'card_declined'],
  [23, 'Transaction Not Permitted', 'card_declined'],
  [24, 'CVC Declined', 'card_declined'],
  [25, 'Restricted Card', 'card_declined', 'hard'],
  [26, 'Revocation Of Auth', 'payer_declined', 'hard'],
  [27, 'Declined Non Generic', 'card_declined'],
  [28, 'Withdrawal amount exceeded', 'card_velocity_exceeded'],
  [29, 'Withdrawal count exceeded', 'card_velocity_exceeded'],
  [31, 'Issuer Suspected Fraud', 'card_declined', 'hard'],
  [32, 'AVS Declined', 'card_declined'],
  [38, 'Authentication required', 'authentication_required'],
  [39, 'RReq not received from DS', 'authentication_failed'],
  [42, '3DS Authentication Error', 'authentication_failed'],
  [46, 'Transaction blocked by Adyen to prevent excessive retry fees.', 'card_declined', 'hard'],
]

const MASTERCARD_DO_NOT_TRY_AGAIN = '03'
const MASTERCARD_AGREEMENT_CANCELED = '21'
const FINAL_ADVICE = new Set([MASTERCARD_DO_NOT_TRY_AGAIN, MASTERCARD_AGREEMENT_CANCELED])

const UNLISTED: Decline = { hard: false, reason: 'card_declined' }
const BY_CODE = new Map(REFUSALS.map((row) => [String(row[0]), declineOfRow(row)]))
const BY_REASON = new Map(REFUSALS.map((row) => [row[1].toLowerCase(), declineOfRow(row)]))

export function declineOf(code: string, reason: string, advice: string): Decline {
  const listed = BY_CODE.get(code) ?? BY_REASON.get(reason.toLowerCase()) ?? UNLISTED
  return FINAL_ADVICE.has(advice.slice(0, 2)) ? { ...listed, hard: true } : listed
}

export function adviceOf(additionalData: Members): string {
  return textOf(additionalData, 'merchantAdviceCode').slice(0, 2)
}

function declineOfRow([, , reason, hard]: Row): Decline {
  return { hard: hard === 'hard', reason }
}
