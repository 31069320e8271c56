import { Money } from '#kernel/money'
import {
  type Decline,
  type Intent,
  type IntentState,
  NOT_AUTHORIZED,
  type Refused,
  type Step,
  type Unknown,
  unknown,
} from '../../intents/intent.ts'
import type { Members } from '../../port/members.ts'
import { type AcquirerRecord, type NextAction, NOT_SENT } from '../../port/port.ts'
import { currencyOf, minorOf } from '../amounts.ts'
import { cardDeclineRule, type DeclineRule, walletDeclineRule } from '../declines.ts'
import { readInstrument } from '../verifications/read-instrument.ts'
import type { AirwallexResponse } from '../wire/airwallex-client.ts'
import { membersOf, safeMessage, textOf } from '../wire/members.ts'

const STATES: ReadonlyMap<unknown, IntentState> = new Map([
  ['REQUIRES_PAYMENT_METHOD', 'open'],
  ['REQUIRES_CUSTOMER_ACTION', 'action'],
  ['REQUIRES_CAPTURE', 'held'],
  ['SUCCEEDED', 'done'],
  ['CANCELLED', 'canceled'],
])

/** Airwallex's names, and ours for an intent whose attempt names nothing. */
const WALLET_TYPES: ReadonlySet<unknown> = new Set([
  'wechatpay',
  'alipaycn',
  'alipayhk',
  'fps',
  'wallet_a_pay',
  'wallet_b',
])

/** An unknown status waits: Airwallex says that the list is not complete. Without its amount no intent is ours. */
function readIntent(object: Members): Intent | null {
  const id = textOf(object.id)
  const status = textOf(object.status)
  if (id === null || status === null) return null
  const currency = currencyOf(object.currency)
  const amountMinor = currency === null ? null : minorOf(currency, object.amount)
  if (currency === null || amountMinor === null) return null
  const saidMinor = object.captured_amount == null ? null : minorOf(currency, object.captured_amount)
  if (object.captured_amount != null && saidMinor === null) return null
  const attempt = membersOf(object.latest_payment_attempt)
  const isFailed = attempt.status === 'CAPTURE_FAILED' || attempt.failure_code === 'capture_failed'
  const state = STATES.get(status) ?? 'processing'
  const captured = isFailed ? null : (saidMinor ?? (state === 'done' ? amountMinor : null))
  const instrument = savedInstrument(object)
  return {
    id,
    state: isFailed && state === 'done' ? 'canceled' : state,
    record: recordOf(object),
    decline: declineOf(object),
    action: actionOf(object),
    capturedMinor: captured ?? 0n,
    amount: Money.ofMinor(currency, amountMinor),
    ...(instrument !== null && { instrument }),
  }
}

export function readIntentStep(response: AirwallexResponse): Step<Intent> {
  if (response.kind !== 'ok') return readFailure(response)
  const intent = readIntent(response.object)
  return intent === null ? unknown("Airwallex's response cannot be parsed.") : { kind: 'ok', value: intent }
}

export function readFailure(response: Exclude<AirwallexResponse, { kind: 'ok' }>): Refused | Unknown {
  if (response.kind === 'unknown') return unknown(response.message)
  const { status, code, error } = response
  const isOfCredentials = status === 401 || status === 403
  return {
    kind: 'refused',
    responseCode: isOfCredentials || code === '' ? NOT_AUTHORIZED : code,
    responseMessage: safeMessage(error.message) ?? `Airwallex responded with HTTP ${status}.`,
  }
}

/** A first request that was never sent is refused, so that another account may try. */
export function refusedUnlessSent<Value>(step: Step<Value>, response: AirwallexResponse): Step<Value> {
  if (step.kind !== 'unknown' || response.kind !== 'unknown' || response.isSent) return step
  return { kind: 'refused', responseCode: NOT_SENT, responseMessage: response.message }
}

/** The decline that an error of a confirmation reports; the intent, read afterwards, may know more. */
export function declineOfError(
  { code, error }: Extract<AirwallexResponse, { kind: 'error' }>,
  intent: Members,
  isWallet: boolean,
): Decline {
  const attempt = membersOf(intent.latest_payment_attempt)
  const original =
    textOf(membersOf(error.details).original_response_code) ??
    textOf(error.provider_original_response_code) ??
    textOf(attempt.provider_original_response_code)
  const said = { error: code, original, advice: textOf(attempt.merchant_advice_code) }
  const rule = isWallet || isOfWallet(attempt) ? walletDeclineRule(code) : cardDeclineRule(said)
  return declined(recordOf(intent), rule, {
    code: original ?? code,
    message: safeMessage(error.message) ?? 'The payment was declined.',
  })
}

export function declined(
  record: AcquirerRecord,
  { reason, hard }: DeclineRule,
  { code, message }: { readonly code: string; readonly message: string },
): Decline {
  return {
    needsPayer: reason === 'authentication_required',
    outcome: { kind: 'declined', hard, reason, ...record, responseCode: code, responseMessage: message },
  }
}

/** The decline that the last attempt of an intent shows, whoever made it. */
function declineOf(intent: Members): Decline | null {
  const attempt = membersOf(intent.latest_payment_attempt)
  const record = recordOf(intent)
  const original = textOf(attempt.provider_original_response_code)
  const failure = textOf(attempt.failure_code) ?? ''
  switch (attempt.status) {
    case 'FAILED':
    case 'CAPTURE_FAILED': {
      const rule = isOfWallet(attempt)
        ? walletDeclineRule(failure)
        : cardDeclineRule({ error: failure, original, advice: textOf(attempt.merchant_advice_code) })
      const code = original ?? (failure === '' ? 'failed' : failure)
      return declined(record, rule, { code, message: 'The payment was declined.' })
    }
    case 'CANCELLED': {
      // A canceled intent does not say who canceled its attempt: we or the payer.
      if (intent.status !== 'REQUIRES_PAYMENT_METHOD') return null
      const reason = isOfWallet(attempt) ? 'payer_declined' : 'authentication_failed'
      const message = 'The payer did not confirm the payment.'
      return declined(record, { reason, hard: false }, { code: original ?? reason, message })
    }
    case 'EXPIRED':
      return declined(
        record,
        { reason: 'expired', hard: false },
        { code: 'expired', message: 'The payer did not confirm in time.' },
      )
    default:
      return null
  }
}

/** Of an attempt, or of a consent. */
export function isOfWallet(object: Members): boolean {
  return WALLET_TYPES.has(membersOf(object.payment_method).type)
}

export function recordOf(intent: Members): AcquirerRecord {
  const attempt = membersOf(intent.latest_payment_attempt)
  return {
    gatewayTransactionId: textOf(intent.id) ?? '',
    rrn: textOf(attempt.id) ?? '',
    authCode: textOf(attempt.authorization_code) ?? '',
    batchNumber: '',
    responseCode: textOf(attempt.provider_original_response_code) ?? textOf(intent.status) ?? '',
    responseMessage: '',
  }
}

function actionOf(intent: Members): NextAction | null {
  const { quittance_method: asked } = membersOf(intent.metadata)
  const type = membersOf(membersOf(intent.latest_payment_attempt).payment_method).type ?? asked
  const kind =
    type === 'fps' ? 'bank_confirmation' : WALLET_TYPES.has(type) ? 'wallet_confirmation' : 'three_d_secure'
  return readAction(membersOf(intent.next_action), kind)
}

/** Whatever its type is, the payer goes to `url` with `method` and `data`. A code has no address of its own. */
export function readAction(action: Members, type: string): NextAction | null {
  const qrCode = textOf(action.qrcode) ?? textOf(action.qrcode_url)
  const url = textOf(action.url)
  if (url === null && qrCode === null) return null
  const form = formOf(action)
  return {
    type,
    url: url ?? '',
    ...(form !== null && { form }),
    ...(qrCode !== null && { qrCode }),
  }
}

function formOf({ method, data }: Members): Readonly<Record<string, string>> | null {
  if (method !== 'POST') return null
  const entries = Object.entries(membersOf(data)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}

/** The consent that a payment made of its card. */
function savedInstrument(intent: Members) {
  const { payment_method, payment_consent_id } = membersOf(intent.latest_payment_attempt)
  const id = textOf(intent.payment_consent_id) ?? textOf(payment_consent_id)
  if (id === null || !keepsCard(intent)) return null
  return readInstrument({ id, payment_method }, textOf(intent.customer_id))
}

/** Whether the payer asked to keep the card. We wrote it when the intent was created. */
export function keepsCard(intent: Members): boolean {
  return membersOf(intent.metadata).quittance_saves === 'card'
}
