import { exactMinor, majorOf, minorOf } from './amounts.ts'
import type { Body } from './body.ts'
import type { Call } from './call.ts'
import { ApiError, invalid, wrongStatus } from './errors.ts'
import {
  cardAction,
  readMethod,
  type ReadMethod,
  requireCurrency,
  shownMethod,
  walletAction,
} from './methods.ts'
import {
  type Attempt,
  type AttemptStatus,
  type Consent,
  type Hidden,
  type Intent,
  newId,
  randomText,
  type Row,
  type Tx,
} from './store.ts'
import { codeByAmount, type StoredCard } from './test-cards.ts'

type IntentRow = Row<Intent>

export function createIntent({ tx, body, requestId }: Call): Intent {
  const currency = body.required('currency')
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('currency', 'must be a currency')
  const amount = body.number('amount')
  const minor = amount === undefined ? null : minorOf(amount, currency)
  if (amount === undefined || minor === null) throw invalid('amount', 'must be greater than 0')
  const customer = body.text('customer_id')
  if (customer !== undefined) tx.get('customer', customer, 400)
  const metadata = body.metadata()
  const descriptor = body.text('descriptor', 32)
  const returnUrl = body.text('return_url', 2_000)
  const intent: Intent = {
    id: newId('intent'),
    request_id: requestId,
    amount,
    currency,
    merchant_order_id: body.required('merchant_order_id', 64),
    status: 'REQUIRES_PAYMENT_METHOD',
    captured_amount: 0,
    client_secret: `eyJhbGciOiJIUzI1NiJ9.${randomText(24)}.${randomText(24)}`,
    created_at: tx.now,
    updated_at: tx.now,
    ...(customer !== undefined && { customer_id: customer }),
    ...(metadata !== undefined && { metadata }),
    ...(descriptor !== undefined && { descriptor }),
    ...(returnUrl !== undefined && { return_url: returnUrl }),
  }
  tx.insert('intent', intent)
  tx.notify('payment_intent.created', intent)
  return intent
}

export function confirmIntent(call: Call): Intent {
  const { tx, id, body, settings } = call
  const row = tx.edit('intent', id)
  const { object: intent } = row
  const isRenewal = intent.status === 'REQUIRES_CUSTOMER_ACTION' && row.hidden.wallet !== undefined
  if (intent.status !== 'REQUIRES_PAYMENT_METHOD' && !isRenewal) {
    throw wrongStatus(`The intent is ${intent.status}`)
  }
  touch(call, row)
  const options = body.object('payment_method_options')?.object('card')
  const returnUrl = body.text('return_url', 2_000) ?? intent.return_url
  const hidden: Hidden = {
    autoCapture: options?.json.auto_capture !== false,
    ...(returnUrl !== undefined && { returnUrl }),
  }
  const consentId = body.text('payment_consent_id')
  if (consentId !== undefined) return chargeConsent(call, row, hidden, consentId)
  const method = readMethod(body, settings, 'oneoff')
  if (method.kind === 'wallet') return askWallet(call, row, hidden, method)
  if (!method.hasCvc) throw invalid('payment_method.card.cvc', 'must not be empty')
  const consent = newConsentOf(body, intent)
  row.hidden = { ...hidden, card: method.card, ...(consent !== undefined && { consent }) }
  begin(tx, row, method)
  return chargeCard(call, row, method.card, true)
}

function newConsentOf(body: Body, intent: Intent): Hidden['consent'] {
  const given = body.object('payment_consent')
  if (given === undefined) return undefined
  if (intent.customer_id === undefined) throw invalid('customer_id', 'must not be empty')
  const nextTriggeredBy = given.choice('next_triggered_by', ['merchant', 'customer'])
  if (nextTriggeredBy === undefined) throw invalid('payment_consent.next_triggered_by', 'must not be empty')
  return { nextTriggeredBy, reason: given.text('merchant_trigger_reason') ?? null }
}

function chargeConsent(call: Call, row: IntentRow, hidden: Hidden, consentId: string): Intent {
  const { tx, settings } = call
  const consent = tx.get('consent', consentId, 400)
  if (consent.object.customer_id !== row.object.customer_id) {
    throw invalid('payment_consent_id', 'belongs to another customer')
  }
  const { status } = consent.object
  row.object.payment_consent_id = consentId
  row.hidden = hidden
  const method = methodOf(consent)
  begin(tx, row, method)
  if (status !== 'VERIFIED') {
    if (settings.ended_agreement === 'invalid_status_for_operation') {
      failAttempt(tx, row, 'authorization_failed', null)
      throw new ApiError(400, 'invalid_status_for_operation', `The payment consent is ${status}`, {
        commits: true,
      })
    }
    return decline(call, row, 'provider_declined', 'AGREEMENT_NOT_ACTIVE')
  }
  const { card } = consent.hidden
  if (card === undefined) return succeed(call, row)
  row.hidden = { ...hidden, card }
  return chargeCard(call, row, card, false)
}

function methodOf(consent: Row<Consent>): ReadMethod {
  const { card, wallet = '' } = consent.hidden
  if (card !== undefined) return { kind: 'card', card, hasCvc: false }
  return { kind: 'wallet', wallet, isPhone: false }
}

function chargeCard(call: Call, row: IntentRow, card: StoredCard, isPresent: boolean): Intent {
  const { tx, settings, origin } = call
  const { object: intent } = row
  const minor = exactMinor(intent.amount, intent.currency)
  const code = codeByAmount(minor) ?? card.charge
  if (code !== null) return decline(call, row, card.error, code, card.advice)
  const mayAsk = isPresent || row.hidden.returnUrl !== undefined
  if (card.asks === 'always' && !mayAsk) return decline(call, row, 'issuer_declined', '65')
  if (card.asks === 'never' || (card.asks === 'present' && !isPresent)) return succeed(call, row)
  if (row.hidden.returnUrl === undefined) throw invalid('return_url', 'must not be empty')
  intent.status = 'REQUIRES_CUSTOMER_ACTION'
  intent.next_action = cardAction(settings, { id: intent.id, origin })
  updateAttempt(tx, row, { status: 'AUTHENTICATION_REDIRECTED' })
  tx.notify('payment_intent.requires_customer_action', intent)
  return intent
}

function askWallet(
  { tx, settings, origin }: Call,
  row: IntentRow,
  hidden: Hidden,
  method: ReadMethod & { readonly kind: 'wallet' },
): Intent {
  const { object: intent } = row
  requireCurrency(method.wallet, intent.currency)
  row.hidden = {
    ...hidden,
    wallet: method.wallet,
    dueAt: tx.nowSeconds + (settings.payer_seconds || settings.code_seconds),
  }
  begin(tx, row, method)
  intent.status = 'REQUIRES_CUSTOMER_ACTION'
  intent.next_action = walletAction({
    wallet: method.wallet,
    isPhone: method.isPhone,
    id: intent.id,
    origin,
  })
  updateAttempt(tx, row, { status: 'AUTHENTICATION_REDIRECTED' })
  tx.notify('payment_intent.requires_customer_action', intent)
  return intent
}

/** Called after the payer has acted: 3-D Secure, or the app of a wallet. */
export function payerActed(call: Call, id: string, isApproved: boolean): Intent {
  const { tx } = call
  const row = tx.edit('intent', id)
  if (row.object.status !== 'REQUIRES_CUSTOMER_ACTION')
    throw wrongStatus(`The intent is ${row.object.status}`)
  row.object.updated_at = tx.now
  if (isApproved) return succeed(call, row)
  const isWallet = row.hidden.wallet !== undefined
  failAttempt(tx, row, isWallet ? 'authorization_failed' : 'authentication_failed', null)
  const { operation, minor, currency, key, reference } = movementOf(row)
  tx.move({ key, operation, minor, currency, reference, outcome: 'declined' })
  if (isWallet) updateAttempt(tx, row, { status: 'CANCELLED' })
  tx.notify('payment_intent.requires_payment_method', row.object)
  return row.object
}

export function expireIntent(tx: Tx, id: string): void {
  const row = tx.edit('intent', id)
  const { dueAt: _expired, ...hidden } = row.hidden
  row.hidden = hidden
  if (row.object.status !== 'REQUIRES_CUSTOMER_ACTION') return
  row.object.updated_at = tx.now
  failAttempt(tx, row, null, null)
  updateAttempt(tx, row, { status: 'EXPIRED' })
  tx.notify('payment_attempt.expired', row.object.latest_payment_attempt)
}

function succeed(call: Call, row: IntentRow): Intent {
  const { tx } = call
  const { object: intent, hidden } = row
  const minor = exactMinor(intent.amount, intent.currency)
  const holds = hidden.autoCapture === false && hidden.wallet === undefined && hidden.card !== undefined
  delete intent.next_action
  const { dueAt: _answered, ...rest } = hidden
  row.hidden = rest
  saveConsent(call, row)
  intent.status = holds ? 'REQUIRES_CAPTURE' : 'SUCCEEDED'
  intent.captured_amount = holds ? 0 : intent.amount
  updateAttempt(tx, row, {
    status: holds ? 'AUTHORIZED' : 'CAPTURE_REQUESTED',
    captured_amount: intent.captured_amount,
    provider_original_response_code: '00',
    authorization_code: randomText(6).toUpperCase(),
  })
  tx.move({ ...movementOf(row), minor, outcome: 'approved' })
  tx.notify(holds ? 'payment_intent.requires_capture' : 'payment_intent.succeeded', intent)
  return intent
}

/** A card that was paid with and is to be kept becomes a verified consent. */
function saveConsent({ tx, requestId }: Call, row: IntentRow): void {
  const { consent, card } = row.hidden
  const { customer_id: customer } = row.object
  if (consent === undefined || card === undefined || customer === undefined) return
  const id = newId('consent')
  const method: ReadMethod = { kind: 'card', card, hasCvc: false }
  const made: Consent = {
    id,
    request_id: requestId,
    customer_id: customer,
    next_triggered_by: consent.nextTriggeredBy,
    ...(consent.reason !== null && { merchant_trigger_reason: consent.reason }),
    status: 'VERIFIED',
    payment_method: { id: `mtd_${randomText(12)}`, ...shownMethod(method) },
    created_at: tx.now,
    updated_at: tx.now,
  }
  tx.insert('consent', made, { card })
  tx.notify('payment_consent.verified', made)
  row.object.payment_consent_id = id
}

function decline({ tx }: Call, row: IntentRow, error: string, code: string, advice?: string): never {
  failAttempt(
    tx,
    row,
    error === 'authentication_declined' ? 'authentication_failed' : 'authorization_failed',
    code,
  )
  if (advice !== undefined) updateAttempt(tx, row, { merchant_advice_code: advice })
  const { object: intent } = row
  tx.move({
    ...movementOf(row),
    minor: exactMinor(intent.amount, intent.currency),
    outcome: 'declined',
  })
  tx.notify('payment_intent.requires_payment_method', intent)
  throw new ApiError(400, error, 'The payment was declined. Please refer to the original response code.', {
    commits: true,
    details: { original_response_code: code },
  })
}

function movementOf({ object: intent, hidden }: IntentRow) {
  const isHeld = hidden.autoCapture === false && hidden.wallet === undefined
  return {
    key: intent.metadata?.quittance_key ?? intent.merchant_order_id,
    operation: isHeld ? ('authorization' as const) : ('sale' as const),
    minor: exactMinor(intent.amount, intent.currency),
    currency: intent.currency,
    reference: intent.id,
  }
}

function begin(tx: Tx, row: IntentRow, method: ReadMethod): void {
  const { object: intent } = row
  delete intent.next_action
  intent.latest_payment_attempt = {
    id: `att_hkdm${randomText(15)}`,
    amount: intent.amount,
    currency: intent.currency,
    status: 'RECEIVED',
    captured_amount: 0,
    refunded_amount: 0,
    payment_intent_id: intent.id,
    payment_method: shownMethod(method),
    created_at: tx.now,
    updated_at: tx.now,
  }
}

function updateAttempt(tx: Tx, { object: intent }: IntentRow, edit: Partial<Attempt>): void {
  const attempt = intent.latest_payment_attempt
  if (attempt === undefined) throw new Error('there is no attempt')
  Object.assign(attempt, edit, { updated_at: tx.now })
}

function failAttempt(tx: Tx, row: IntentRow, failure: string | null, code: string | null): void {
  row.object.status = 'REQUIRES_PAYMENT_METHOD'
  delete row.object.next_action
  const { dueAt: _over, ...hidden } = row.hidden
  row.hidden = hidden
  updateAttempt(tx, row, {
    status: 'FAILED' satisfies AttemptStatus,
    ...(failure !== null && { failure_code: failure }),
    ...(code !== null && { provider_original_response_code: code }),
  })
}

export function captureIntent(call: Call): Intent {
  const { tx, id, body, requestId } = call
  const row = tx.edit('intent', id)
  const { object: intent } = row
  if (intent.status !== 'REQUIRES_CAPTURE') throw wrongStatus(`The intent is ${intent.status}`)
  const held = exactMinor(intent.amount, intent.currency)
  const amount = body.number('amount') ?? intent.amount
  const minor = minorOf(amount, intent.currency)
  if (minor === null) throw invalid('amount', 'must be greater than 0')
  if (minor > held) throw new ApiError(400, 'amount_above_limit', 'The amount is above what is held')
  touch(call, row)
  intent.status = 'SUCCEEDED'
  intent.captured_amount = majorOf(minor, intent.currency)
  updateAttempt(tx, row, { status: 'CAPTURE_REQUESTED', captured_amount: intent.captured_amount })
  tx.move({
    key: requestId,
    operation: 'capture',
    minor,
    currency: intent.currency,
    outcome: 'approved',
    reference: intent.id,
  })
  tx.notify('payment_intent.succeeded', intent)
  return intent
}

const CANCELABLE: ReadonlySet<string> = new Set([
  'REQUIRES_PAYMENT_METHOD',
  'REQUIRES_CUSTOMER_ACTION',
  'REQUIRES_CAPTURE',
])

export function cancelIntent(call: Call): Intent {
  const { tx, id, requestId } = call
  const row = tx.edit('intent', id)
  const { object: intent } = row
  if (!CANCELABLE.has(intent.status)) throw wrongStatus(`The intent is ${intent.status}`)
  touch(call, row)
  if (intent.status === 'REQUIRES_CAPTURE') {
    tx.move({
      key: requestId,
      operation: 'void',
      minor: exactMinor(intent.amount, intent.currency),
      currency: intent.currency,
      outcome: 'approved',
      reference: intent.id,
    })
  }
  const wasOpen = intent.status !== 'REQUIRES_PAYMENT_METHOD'
  intent.status = 'CANCELLED'
  intent.cancelled_at = tx.now
  delete intent.next_action
  const { dueAt: _over, ...hidden } = row.hidden
  row.hidden = hidden
  if (wasOpen && intent.latest_payment_attempt !== undefined) updateAttempt(tx, row, { status: 'CANCELLED' })
  tx.notify('payment_intent.cancelled', intent)
  return intent
}

/** Control: the business cancels in Airwallex's web app. */
export function cancelByHand(tx: Tx, id: string): Intent {
  const row = tx.edit('intent', id)
  const { object: intent } = row
  if (!CANCELABLE.has(intent.status)) throw wrongStatus(`The intent is ${intent.status}`)
  intent.status = 'CANCELLED'
  intent.cancelled_at = tx.now
  tx.notify('payment_intent.cancelled', intent)
  return intent
}

export function readIntent({ tx, id }: Call): Intent {
  return tx.get('intent', id).object
}

export function listIntents({ tx, query }: Call) {
  const order = query.get('merchant_order_id')
  const rows = tx.store.rows('intent')
  const ids = order === null ? [...rows.keys()].toReversed() : (tx.store.byOrder.get(order) ?? [])
  const size = Math.min(Number(query.get('page_size') ?? 10), 1_000)
  const start = Number(query.get('page_num') ?? 0) * size
  const wanted = ['status', 'currency', 'payment_consent_id'] as const
  const from = query.get('from_created_at')
  const to = query.get('to_created_at')
  const found = ids
    .map((one) => rows.get(one)?.object)
    .filter((one) => one !== undefined)
    .filter((one) => wanted.every((name) => query.get(name) === null || query.get(name) === one[name]))
    .filter((one) => from === null || Date.parse(one.created_at) >= Date.parse(from))
    .filter((one) => to === null || Date.parse(one.created_at) < Date.parse(to))
  return { has_more: found.length > start + size, items: found.slice(start, start + size) }
}

/** Control: the bank could not do a capture that Airwallex had taken. */
export function failCapture(tx: Tx, id: string): Intent {
  const row = tx.edit('intent', id)
  const { object: intent } = row
  const { operation, currency, key } = movementOf(row)
  tx.move({
    key: operation === 'sale' ? key : intent.request_id,
    operation: operation === 'sale' ? 'sale' : 'capture',
    minor: exactMinor(intent.captured_amount, currency),
    currency,
    outcome: 'declined',
    reference: intent.id,
  })
  updateAttempt(tx, row, { status: 'CAPTURE_FAILED', failure_code: 'capture_failed', captured_amount: 0 })
  intent.captured_amount = 0
  intent.updated_at = tx.now
  tx.notify('payment_attempt.capture_failed', intent.latest_payment_attempt)
  return intent
}

/** `request_id` is that of the last operation. */
function touch({ tx, requestId }: Call, { object }: IntentRow): void {
  object.request_id = requestId
  object.updated_at = tx.now
}
