import { exactMinor, majorOf, minorOf } from './amounts.ts'
import type { Call } from './call.ts'
import { ApiError, invalid, wrongStatus } from './errors.ts'
import { newId, type Refund, type Tx } from './store.ts'

/** How long a refund takes from one state to the next. */
const STEP_SECONDS = 2

export function createRefund({ tx, body, requestId }: Call): Refund {
  const intentId = body.text('payment_intent_id')
  if (intentId === undefined) throw invalid('payment_intent_id', 'must not be empty')
  const intent = tx.edit('intent', intentId, 400).object
  const attempt = intent.latest_payment_attempt
  if (intent.status !== 'SUCCEEDED' || attempt === undefined || intent.captured_amount === 0) {
    throw wrongStatus(`The intent is ${intent.status}`)
  }
  const { currency } = intent
  const left = exactMinor(intent.captured_amount, currency) - exactMinor(attempt.refunded_amount, currency)
  const given = body.number('amount')
  const minor = given === undefined ? left : minorOf(given, currency)
  if (minor === null) throw invalid('amount', 'must be greater than 0')
  if (minor > left || left === 0n) {
    throw new ApiError(400, 'amount_above_limit', 'The amount is above what can be refunded', {
      source: 'amount',
    })
  }
  attempt.refunded_amount = majorOf(exactMinor(attempt.refunded_amount, currency) + minor, currency)
  const reason = body.text('reason', 128)
  const metadata = body.metadata()
  const refund: Refund = {
    id: newId('refund'),
    request_id: requestId,
    payment_intent_id: intent.id,
    payment_attempt_id: attempt.id,
    amount: majorOf(minor, currency),
    currency,
    ...(reason !== undefined && { reason }),
    ...(metadata !== undefined && { metadata }),
    status: 'RECEIVED',
    created_at: tx.now,
    updated_at: tx.now,
  }
  tx.insert('refund', refund, { dueAt: tx.nowSeconds + STEP_SECONDS })
  tx.move({
    key: metadata?.quittance_key ?? requestId,
    operation: 'refund',
    minor,
    currency,
    outcome: 'approved',
    reference: refund.id,
  })
  tx.notify('refund.received', refund)
  return refund
}

export function continueRefund(tx: Tx, id: string): void {
  const row = tx.edit('refund', id)
  const { object: refund } = row
  const { dueAt: _due, ...hidden } = row.hidden
  if (refund.status === 'RECEIVED') {
    refund.status = 'ACCEPTED'
    row.hidden = { ...hidden, dueAt: tx.nowSeconds + STEP_SECONDS }
    tx.notify('refund.accepted', refund)
  } else {
    if (refund.status === 'ACCEPTED') refund.status = 'SETTLED'
    row.hidden = hidden
    tx.notify('refund.settled', refund)
  }
  refund.updated_at = tx.now
}

/** Control: the bank could not do a refund that Airwallex had taken. */
export function failRefund(tx: Tx, id: string): Refund {
  const row = tx.edit('refund', id)
  const { object: refund } = row
  if (refund.status === 'FAILED') return refund
  const { dueAt: _due, ...hidden } = row.hidden
  row.hidden = hidden
  const attempt = tx.edit('intent', refund.payment_intent_id).object.latest_payment_attempt
  const minor = exactMinor(refund.amount, refund.currency)
  if (attempt !== undefined) {
    const before = exactMinor(attempt.refunded_amount, refund.currency)
    attempt.refunded_amount = majorOf(before - minor, refund.currency)
  }
  refund.status = 'FAILED'
  refund.failure_details = { code: 'INSUFFICIENT_FUNDS', message: 'The balance does not cover the refund.' }
  refund.updated_at = tx.now
  tx.move({
    key: refund.metadata?.quittance_key ?? refund.request_id,
    operation: 'refund',
    minor,
    currency: refund.currency,
    outcome: 'declined',
    reference: refund.id,
  })
  tx.notify('refund.failed', refund)
  return refund
}

export function readRefund({ tx, id }: Call): Refund {
  return tx.get('refund', id).object
}

export function listRefunds({ tx, query }: Call) {
  const intent = query.get('payment_intent_id')
  const rows = tx.store.rows('refund')
  const ids = intent === null ? [...rows.keys()] : (tx.store.byIntent.get(intent) ?? [])
  const size = Math.min(Number(query.get('page_size') ?? 10), 1_000)
  const start = Number(query.get('page_num') ?? 0) * size
  const from = query.get('from_created_at')
  const to = query.get('to_created_at')
  const found = ids
    .flatMap((id) => rows.get(id)?.object ?? [])
    .filter((one) => from === null || Date.parse(one.created_at) >= Date.parse(from))
    .filter((one) => to === null || Date.parse(one.created_at) < Date.parse(to))
  return { has_more: found.length > start + size, items: found.slice(start, start + size) }
}
