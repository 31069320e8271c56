import type Stripe from 'stripe'
import { invalidRequest, missing, unexpectedState } from '../errors.ts'
import { flag, type Form, mergeMetadata, nested, refuseUnknown } from '../form.ts'
import { idOf, newStripeId, type Tx } from '../store.ts'
import type { TestCard } from '../test-cards.ts'
import { bookLine } from './balance.ts'
import { recordEvent } from './events.ts'

const DISPUTE_FEE = 1500
const DUE_AFTER_SECONDS = 8 * 86_400

const TEXTS = [
  'access_activity_log', 'billing_address', 'cancellation_policy_disclosure', 'cancellation_rebuttal',
  'customer_email_address', 'customer_name', 'customer_purchase_ip', 'duplicate_charge_explanation',
  'duplicate_charge_id', 'product_description', 'refund_policy_disclosure', 'refund_refusal_explanation',
  'service_date', 'shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_tracking_number',
  'uncategorized_text',
] as const // prettier-ignore
const FILES = [
  'cancellation_policy', 'customer_communication', 'customer_signature', 'duplicate_charge_documentation', 'receipt',
  'refund_policy', 'service_documentation', 'shipping_documentation', 'uncategorized_file',
] as const // prettier-ignore
const MAX_EVIDENCE_CHARACTERS = 150_000
const AWAITING = new Set(['needs_response', 'warning_needs_response'])

export function openDispute(tx: Tx, chargeId: string, kind: NonNullable<TestCard['dispute']>): void {
  const { object: charge } = tx.edit('charge', chargeId)
  const isInquiry = kind === 'inquiry'
  const empty = Object.fromEntries([...TEXTS, ...FILES].map((name) => [name, null]))
  const dispute: Stripe.Dispute = {
    id: newStripeId('dispute'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...empty, enhanced_evidence: {} } as unknown as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: tx.now + DUE_AFTER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null as unknown as Stripe.Dispute.EvidenceDetails.SubmissionMethod,
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: tx.livemode,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    payment_method_details: {
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network_reason_code: kind === 'product_not_received' ? '13.1' : '10.4',
      } as Stripe.Dispute.PaymentMethodDetails.Card,
      type: 'card',
    },
    reason: kind === 'product_not_received' ? 'product_not_received' : 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  }
  tx.insert('dispute', dispute)
  Object.assign(charge, { dispute: dispute.id })
  recordEvent(tx, 'charge.dispute.created', dispute)
  if (isInquiry) return
  charge.disputed = true
  withdraw(tx, dispute)
}

function withdraw(tx: Tx, dispute: Stripe.Dispute): void {
  const charge = idOf(dispute.charge) ?? ''
  dispute.balance_transactions.push(
    bookLine(tx, {
      type: 'adjustment',
      category: 'dispute',
      amount: -dispute.amount,
      fee: DISPUTE_FEE,
      currency: dispute.currency,
      source: dispute.id,
      description: `Chargeback withdrawal for ${charge}`,
    }),
  )
  recordEvent(tx, 'charge.dispute.funds_withdrawn', dispute)
}

/** `submit` is true by default; `false` only stages evidence. */
export function updateDispute(tx: Tx, id: string, form: Form): Stripe.Dispute {
  refuseUnknown(form, ['evidence', 'intended_submission_method', 'metadata', 'submit'])
  const { object: dispute } = tx.edit('dispute', id)
  dispute.metadata = mergeMetadata(dispute.metadata, form)
  const evidence = nested(form, 'evidence')
  const submits = flag(form, 'submit') ?? true
  if (evidence !== undefined || flag(form, 'submit') === true) {
    if (!AWAITING.has(dispute.status)) {
      throw unexpectedState(`This dispute is ${dispute.status}: its evidence can no longer be changed.`, {
        param: 'evidence',
      })
    }
    if (evidence) stage(tx, dispute, evidence)
    if (submits) return submit(tx, dispute)
  }
  recordEvent(tx, 'charge.dispute.updated', dispute)
  return dispute
}

function stage(tx: Tx, dispute: Stripe.Dispute, evidence: Form): void {
  const target = dispute.evidence as unknown as Record<string, string | null>
  for (const [name, value] of Object.entries(evidence)) {
    if (![...TEXTS, ...FILES, 'enhanced_evidence'].includes(name)) {
      throw invalidRequest(`Received unknown parameter: evidence[${name}]`, {
        code: 'parameter_unknown',
        param: `evidence[${name}]`,
      })
    }
    if (typeof value !== 'string') continue
    if (FILES.some((file) => file === name) && value !== '') checkFile(tx, value, `evidence[${name}]`)
    target[name] = value === '' ? null : value
  }
  const texts = TEXTS.reduce((sum, name) => sum + (target[name]?.length ?? 0), 0)
  if (texts > MAX_EVIDENCE_CHARACTERS) {
    throw invalidRequest(`The evidence exceeds ${MAX_EVIDENCE_CHARACTERS} characters.`, { param: 'evidence' })
  }
  dispute.evidence_details.has_evidence = [...TEXTS, ...FILES].some((name) => target[name] != null)
}

function checkFile(tx: Tx, id: string, param: string): void {
  const file = tx.find('file', id)
  if (file?.object.purpose === 'dispute_evidence') return
  throw missing('file upload', id, param)
}

/** Stripe's test texts decide at once; other evidence waits for the bank. */
function submit(tx: Tx, dispute: Stripe.Dispute): Stripe.Dispute {
  dispute.evidence_details.submission_count += 1
  const isInquiry = dispute.status.startsWith('warning_')
  const { uncategorized_text: said } = dispute.evidence
  if (said === 'winning_evidence') return close(tx, dispute, isInquiry ? 'warning_closed' : 'won')
  if (said === 'losing_evidence') return close(tx, dispute, isInquiry ? 'warning_closed' : 'lost')
  if (said === 'escalate_inquiry_evidence' && isInquiry) return escalate(tx, dispute)
  dispute.status = isInquiry ? 'warning_under_review' : 'under_review'
  recordEvent(tx, 'charge.dispute.updated', dispute)
  return dispute
}

function escalate(tx: Tx, dispute: Stripe.Dispute): Stripe.Dispute {
  dispute.status = 'needs_response'
  dispute.is_charge_refundable = false
  tx.edit('charge', idOf(dispute.charge) ?? '').object.disputed = true
  withdraw(tx, dispute)
  recordEvent(tx, 'charge.dispute.updated', dispute)
  return dispute
}

/** A won dispute brings back the amount and the fee. */
function close(tx: Tx, dispute: Stripe.Dispute, status: 'lost' | 'warning_closed' | 'won'): Stripe.Dispute {
  dispute.status = status
  if (status === 'won') {
    dispute.balance_transactions.push(
      bookLine(tx, {
        type: 'adjustment',
        category: 'dispute_reversal',
        amount: dispute.amount,
        fee: -DISPUTE_FEE,
        currency: dispute.currency,
        source: dispute.id,
        description: `Chargeback reversal for ${idOf(dispute.charge)}`,
      }),
    )
    recordEvent(tx, 'charge.dispute.funds_reinstated', dispute)
  }
  recordEvent(tx, 'charge.dispute.closed', dispute)
  return dispute
}

/** Accepts the loss (POST /v1/disputes/:id/close). */
export function acceptDispute(tx: Tx, id: string): Stripe.Dispute {
  const { object: dispute } = tx.edit('dispute', id)
  if (!AWAITING.has(dispute.status)) {
    throw unexpectedState(`This dispute is already ${dispute.status}.`, { code: 'dispute_already_closed' })
  }
  return close(tx, dispute, dispute.status === 'needs_response' ? 'lost' : 'warning_closed')
}
