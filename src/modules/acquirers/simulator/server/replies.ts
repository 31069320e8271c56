import { toRfc3339 } from '#kernel/clock'
import type { DisputedPayment, KeyState } from '../books/books.ts'
import { disputeReference, stateAt } from '../books/dispute.ts'
import type { Payment } from '../books/payment.ts'
import type { Settlement } from '../books/settlement-entry.ts'
import { DECLINES } from './test-cards.ts'

export function paymentReply(payment: Payment, origin: string): object {
  const { end, waitsFor } = payment
  const numbers = {
    gateway_transaction_id: `sim_${String(payment.serial).padStart(12, '0')}`,
    rrn: String(payment.serial % 1_000_000_000_000).padStart(12, '0'),
  }
  if (end === null) {
    const asksPayer = waitsFor === 'three_d_secure' || waitsFor === 'wallet_confirmation'
    return {
      status: 'pending',
      ...numbers,
      auth_code: '',
      batch_number: '',
      response_code: 'pending',
      response_message: asksPayer ? 'Waiting for the payer to confirm.' : 'The payment is in progress.',
      ...(asksPayer && { next_action: { type: waitsFor, url: `${origin}/payments/${payment.key}/page` } }),
    }
  }
  const approved = end.outcome === 'approved'
  return {
    status: end.outcome,
    ...(end.outcome === 'declined' && { hard: DECLINES[end.code].hard }),
    ...numbers,
    auth_code: approved ? String((payment.serial * 7919) % 1_000_000).padStart(6, '0') : '',
    batch_number: rfc3339(payment.endedAtMs).slice(0, 10).replaceAll('-', ''),
    response_code: end.code,
    response_message: end.outcome === 'declined' ? DECLINES[end.code].message : 'Approved.',
    ...(payment.dispute !== null && { dispute: disputeReference(payment.key) }),
  }
}

export function keyStateReply(found: KeyState, origin: string): object {
  if (found.kind === 'payment') return paymentReply(found.payment, origin)
  return { status: 'absent', closed: found.closed }
}

export function disputeReply({ key, amount, dispute }: DisputedPayment, nowMs: number): object {
  return {
    reference: disputeReference(key),
    payment_key: key,
    amount: amount.toString(),
    currency: amount.currency,
    reason: dispute.reason,
    state: stateAt(dispute, nowMs),
    opened_at: rfc3339(dispute.openedAtMs),
    respond_by: rfc3339(dispute.respondByMs),
    submitted: dispute.submission !== null,
  }
}

export function settlementReply({ id, currency, created_ms: createdMs, lines }: Settlement): object {
  const net = lines.reduce((sum, { gross, fee }) => sum + BigInt(gross) - BigInt(fee), 0n)
  return { id, currency, net: String(net), created_at: rfc3339(createdMs) }
}

export function bookLine(payment: Payment): string {
  return JSON.stringify({
    key: payment.key,
    operation: payment.operation,
    amount: payment.amount?.toString(),
    currency: payment.amount?.currency,
    outcome: payment.end?.outcome,
    ...(payment.originalKey !== null && { original_key: payment.originalKey }),
    booked_at: rfc3339(payment.endedAtMs),
  })
}

function rfc3339(epochMs: number): string {
  return toRfc3339(Temporal.Instant.fromEpochMilliseconds(epochMs))
}
