export interface Trigger {
  readonly name: string
  readonly code: string
  readonly reason: string
  readonly resultCode: 'Authorised' | 'Refused' | 'Error' | 'Cancelled' | 'Received'
}

/** Adyen's test values for `holderName` or `RequestedTestAcquirerResponseCode`, and their results. */
const TABLE: readonly (readonly [code: number, name: string, reason: string])[] = [
  [0, 'UNKNOWN', 'Unknown'],
  [1, 'APPROVED', ''],
  [2, 'DECLINED', 'Refused'],
  [3, 'REFERRAL', 'Referral'],
  [4, 'ERROR', 'Acquirer Error'],
  [5, 'BLOCK_CARD', 'Blocked Card'],
  [6, 'CARD_EXPIRED', 'Expired Card'],
  [7, 'INVALID_AMOUNT', 'Invalid Amount'],
  [8, 'INVALID_CARD_NUMBER', 'Invalid Card Number'],
  [9, 'ISSUER_UNAVAILABLE', 'Issuer Unavailable'],
  [10, 'NOT_SUPPORTED', 'Not supported'],
  [11, 'NOT_3D_AUTHENTICATED', '3D Not Authenticated'],
  [12, 'NOT_ENOUGH_BALANCE', 'Not enough balance'],
  [13, 'PENDING', ''],
  [14, 'ACQUIRER_FRAUD', 'Acquirer Fraud'],
  [15, 'CANCELLED', 'Cancelled'],
  [16, 'SHOPPER_CANCELLED', 'Shopper Cancelled'],
  [17, 'INVALID_PIN', 'Invalid Pin'],
  [18, 'PIN_TRIES_EXCEEDED', 'Pin tries exceeded'],
  [19, 'PIN_VALIDATION_NOT_POSSIBLE', 'Pin validation not possible'],
  [20, 'FRAUD', 'FRAUD'],
  [21, 'NOT_SUBMITTED', 'Not Submitted'],
  [22, 'FRAUD_CANCELLED', 'FRAUD-CANCELLED'],
  [23, 'TRANSACTION_NOT_PERMITTED', 'Transaction Not Permitted'],
  [24, 'CVC_DECLINED', 'CVC Declined'],
  [25, 'RESTRICTED_CARD', 'Restricted Card'],
  [26, 'REVOCATION_OF_AUTH', 'Revocation Of Auth'],
  [27, 'DECLINED_NON_GENERIC', 'Declined Non Generic'],
  [28, 'WITHDRAWAL_AMOUNT_EXCEEDED', 'Withdrawal amount exceeded'],
  [29, 'WITHDRAWAL_COUNT_EXCEEDED', 'Withdrawal count exceeded'],
  [31, 'ISSUER_SUSPECTED_FRAUD', 'Issuer Suspected Fraud'],
  [32, 'AVS_DECLINED', 'AVS Declined'],
  [33, 'PIN_REQUIRED', 'Card requires online pin'],
  [34, 'NO_CHECKING_ACCOUNT_AVAILABLE_ON_CARD', 'No checking account available on Card'],
  [35, 'NO_SAVINGS_ACCOUNT_AVAILABLE_ON_CARD', 'No savings account available on Card'],
  [36, 'MOBILE_PIN_REQUIRED', 'Mobile PIN required'],
  [37, 'CONTACTLESS_FALLBACK', 'Contactless fallback'],
  [38, 'AUTHENTICATION_REQUIRED', 'Authentication required'],
]

const RESULTS: Readonly<Record<number, Trigger['resultCode']>> = {
  0: 'Error',
  1: 'Authorised',
  4: 'Error',
  13: 'Received',
  22: 'Cancelled',
}

const TRIGGERS: readonly Trigger[] = TABLE.map(([code, name, reason]) => ({
  name,
  code: String(code),
  reason,
  resultCode: RESULTS[code] ?? 'Refused',
}))

/** `DECLINED`, or with Adyen's optional scheme response: `DECLINED : 06 : ERROR`. */
export function triggerOf(holderName: string): Trigger | undefined {
  const name = holderName.split(':')[0]?.trim()
  return TRIGGERS.find((trigger) => trigger.name === name)
}

export function triggerByCode(code: string): Trigger | undefined {
  return TRIGGERS.find((trigger) => trigger.code === code)
}

export function triggerNamed(name: string): Trigger {
  const trigger = TRIGGERS.find((each) => each.name === name)
  if (trigger === undefined) throw new Error(`${name} is not in Adyen's table of test results`)
  return trigger
}

/** Not Adyen's: `LATER NOT_ENOUGH_BALANCE` accepts the card now and refuses later payments with it. */
export function laterTriggerOf(holderName: string): string | null {
  const name = /^LATER (\w+)$/.exec(holderName)?.[1]
  return TRIGGERS.some((trigger) => trigger.name === name) ? (name ?? null) : null
}

/** Not Adyen's: a redirect without `pspReference`, which the response of `/payments/details` then has. */
export function hidesReference(holderName: string): boolean {
  return holderName === 'REDIRECT WITHOUT REFERENCE'
}

/** Adyen's holder names for modifications that are accepted first and fail at the bank. */
export function failsAtTheBank(holderName: string, kind: 'capture' | 'refund'): boolean {
  return holderName.toLowerCase() === `${kind} failed`
}

export type DisputeTrigger = {
  readonly stage: 'chargeback' | 'reversed' | 'second'
  readonly reasonCode: string
} | null

/** Adyen's holder names for disputes that follow the capture. `10.4` is Visa's "other fraud, card absent". */
export function disputeTriggerOf(holderName: string): DisputeTrigger {
  const name = holderName.toLowerCase()
  const reasonCode = /^chargeback:([\w.]+)$/.exec(name)?.[1]
  if (reasonCode !== undefined) return { stage: 'chargeback', reasonCode }
  if (name === 'chargeback') return { stage: 'chargeback', reasonCode: '10.4' }
  if (name === 'chargeback reversed') return { stage: 'reversed', reasonCode: '10.4' }
  if (name === 'second chargeback') return { stage: 'second', reasonCode: '10.4' }
  return null
}
