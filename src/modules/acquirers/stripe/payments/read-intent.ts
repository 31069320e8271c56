import { fromStripeAmount, currencyOf } from '../amounts.ts'
import { declineRule } from '../declines.ts'
import type { AcquirerRecord, NextAction, VerifiedInstrument } from '../../port/port.ts'
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
import { readInstrument } from '../verifications/read-instrument.ts'
import type { Members } from '../../port/members.ts'
import { idOf, membersOf, safeMessage, textOf, wholeOf } from '../wire/members.ts'
import type { StripeResponse } from '../wire/stripe-client.ts'

const STATES: ReadonlyMap<unknown, IntentState> = new Map([
  ['requires_payment_method', 'open'],
  ['requires_confirmation', 'open'],
  ['requires_action', 'action'],
  ['processing', 'processing'],
  ['requires_capture', 'held'],
  ['succeeded', 'done'],
  ['canceled', 'canceled'],
])

export function readIntent(object: Members): Intent | null {
  const id = textOf(object.id)
  const state = STATES.get(object.status)
  if (id === null || state === undefined) return null
  const error = membersOf(object.last_payment_error ?? object.last_setup_error)
  const currency = currencyOf(object.currency)
  const received = wholeOf(object.amount_received)
  const instrument = savedInstrument(object)
  return {
    id,
    state,
    record: recordOf(object),
    decline: textOf(error.type) === null ? null : declineOf(error, object),
    action: actionOf(membersOf(object.next_action)),
    ...(instrument !== null && { instrument }),
    capturedMinor: currency === null || received === null ? 0n : fromStripeAmount(currency, received),
  }
}

/**
 * The instrument that a payment saved. The charge describes the card, because the payment method is often only an id.
 */
function savedInstrument(object: Members): VerifiedInstrument | null {
  const id = idOf(object.payment_method)
  if (id === null || textOf(object.setup_future_usage) === null) return null
  const charge = membersOf(object.latest_charge)
  const { card } = membersOf(charge.payment_method_details)
  const { billing_details } = charge
  return readInstrument({ id, card, billing_details }, idOf(object.customer))
}

export function readIntentStep(response: StripeResponse): Step<Intent> {
  if (response.kind !== 'ok') return readFailure(response)
  const intent = readIntent(response.object)
  return intent === null ? unknown("Stripe's response cannot be parsed.") : { kind: 'ok', value: intent }
}

export function readFailure(
  response: Exclude<StripeResponse, { kind: 'ok' }>,
): Exclude<Step<never>, { kind: 'ok' }> {
  if (response.kind === 'unknown') return unknown(response.message)
  const { error, status } = response
  if (status === 402 || error.type === 'card_error') {
    return {
      kind: 'declined',
      decline: declineOf(error, membersOf(error.payment_intent ?? error.setup_intent)),
    }
  }
  return refusalOf(status, error)
}

export function refusedUnlessSent(step: Unknown, response: StripeResponse): Refused | Unknown {
  if (response.kind !== 'unknown') return step
  const { status, message } = response
  if (status === 0) return { kind: 'refused', responseCode: 'not_sent', responseMessage: message }
  if (status === 429) return { kind: 'refused', responseCode: 'rate_limit', responseMessage: message }
  if (status === 409)
    return { kind: 'refused', responseCode: 'idempotency_key_in_use', responseMessage: message }
  return step
}

function refusalOf(status: number, error: Members): Refused {
  const isOfCredentials = status === 401 || status === 403
  const code = textOf(error.code) ?? textOf(error.type) ?? 'refused'
  const responseMessage = safeMessage(error.message) ?? `Stripe responded with HTTP ${status}.`
  return { kind: 'refused', responseCode: isOfCredentials ? NOT_AUTHORIZED : code, responseMessage }
}

function declineOf(error: Members, intent: Members): Decline {
  const record = recordOf(intent)
  const errorCode = textOf(error.code)
  const responseCode = textOf(error.decline_code) ?? errorCode ?? textOf(error.type) ?? 'card_declined'
  const { hard, reason } = declineRule(responseCode, adviceOf(error, intent))
  return {
    needsPayer: reason === 'authentication_required',
    outcome: {
      kind: 'declined',
      hard,
      reason,
      ...record,
      rrn: record.rrn === '' ? (idOf(error.charge) ?? '') : record.rrn,
      responseCode,
      responseMessage: safeMessage(error.message) ?? 'The card was declined.',
    },
  }
}

function adviceOf(error: Members, intent: Members): string | null {
  return textOf(error.advice_code) ?? textOf(membersOf(membersOf(latestChargeOf(intent)).outcome).advice_code)
}

function recordOf(intent: Members): AcquirerRecord {
  const latestCharge = latestChargeOf(intent)
  const charge = membersOf(latestCharge)
  const card = membersOf(membersOf(charge.payment_method_details).card)
  return {
    gatewayTransactionId: textOf(intent.id) ?? '',
    rrn: idOf(latestCharge) ?? '',
    authCode: textOf(card.authorization_code) ?? '',
    batchNumber: '',
    responseCode: textOf(intent.status) ?? '',
    responseMessage: safeMessage(membersOf(charge.outcome).seller_message) ?? '',
  }
}

/** API versions before 2022-11-15, and test doubles modeled on them, list the charges instead, newest first. */
function latestChargeOf(intent: Members): unknown {
  const { data } = membersOf(intent.charges)
  return intent.latest_charge ?? (Array.isArray(data) ? data[0] : undefined)
}

function actionOf(action: Members): NextAction | null {
  const url = textOf(membersOf(action.redirect_to_url).url)
  return url === null ? null : { type: 'three_d_secure', url }
}
