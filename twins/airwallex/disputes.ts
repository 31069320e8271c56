import { exactMinor, majorOf } from './amounts.ts'
import { Body, isObject } from './body.ts'
import type { Call } from './call.ts'
import { invalid, wrongStatus } from './errors.ts'
import { type Dispute, newId, timeText, type Tx, type UploadedFile } from './store.ts'

const RESPONSE_SECONDS = 10 * 86_400
const MAX_FILE_BYTES = 20 * 1024 * 1024
export const STAGES = ['RFI', 'PRE_CHARGEBACK', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'] as const
const PRODUCTS = [
  'PHYSICAL_GOODS',
  'DIGITAL_PRODUCT_OR_SERVICE',
  'OFFLINE_SERVICE',
  'TRAVEL',
  'RESERVE_OR_BOOKING',
  'OTHERS',
] as const
const REASONS = [
  'CUSTOMER_WITHDRAWN',
  'CUSTOMER_REFUNDED',
  'PRODUCT_RECEIVED',
  'PURCHASE_HISTORY',
  'NOT_ENTITLED',
  'SEPARATE_PRODUCT',
  'AUTHENTIC_PRODUCT',
  'OTHER_REASONS',
] as const
const DOCUMENTS = ['PRIMARY', 'ORDER', 'CUSTOMER', 'OTHER'] as const

export function openDispute(
  tx: Tx,
  intentId: string,
  options: { readonly stage: Dispute['stage']; readonly reason: string; readonly minor?: bigint },
): Dispute {
  const intent = tx.get('intent', intentId).object
  const attempt = intent.latest_payment_attempt
  if (intent.status !== 'SUCCEEDED' || attempt === undefined)
    throw wrongStatus(`The intent is ${intent.status}`)
  const minor = options.minor ?? exactMinor(intent.captured_amount, intent.currency)
  const dispute: Dispute = {
    id: newId('dispute'),
    payment_intent_id: intent.id,
    payment_attempt_id: attempt.id,
    amount: majorOf(minor, intent.currency),
    currency: intent.currency,
    stage: options.stage,
    status: 'REQUIRES_RESPONSE',
    reason: { type: options.reason, original_code: '10.4', description: 'Other fraud: card absent' },
    due_at: timeText(tx.nowSeconds + RESPONSE_SECONDS),
    card_brand: 'visa',
    created_at: tx.now,
    updated_at: tx.now,
  }
  tx.insert('dispute', dispute, { dueAt: tx.nowSeconds + RESPONSE_SECONDS })
  tx.notify('payment_dispute.requires_response', dispute)
  return dispute
}

/** Control and simulation: the bank decides, or takes the dispute to its next stage. */
export function decideDispute(tx: Tx, id: string, status: Dispute['status']): Dispute {
  return changed(tx, id, { status })
}

export function escalateDispute(tx: Tx, id: string): Dispute {
  const stage = STAGES[STAGES.indexOf(tx.get('dispute', id).object.stage) + 1]
  if (stage === undefined) throw wrongStatus('The dispute has no further stage')
  return changed(tx, id, { stage, status: 'REQUIRES_RESPONSE' })
}

function changed(tx: Tx, id: string, edit: Partial<Dispute>): Dispute {
  const row = tx.edit('dispute', id)
  Object.assign(row.object, edit, { updated_at: tx.now })
  const { dueAt: _due, ...hidden } = row.hidden
  row.hidden =
    row.object.status === 'REQUIRES_RESPONSE'
      ? { ...hidden, dueAt: tx.nowSeconds + RESPONSE_SECONDS }
      : hidden
  tx.notify(`payment_dispute.${row.object.status.toLowerCase()}`, row.object)
  return row.object
}

export function expireDispute(tx: Tx, id: string): void {
  const { status } = tx.get('dispute', id).object
  if (status === 'REQUIRES_RESPONSE') changed(tx, id, { status: 'EXPIRED' })
}

export function acceptDispute({ tx, id }: Call): Dispute {
  requireOpen(tx, id)
  return changed(tx, id, { status: 'ACCEPTED' })
}

export function challengeDispute({ tx, id, body }: Call): Dispute {
  const dispute = requireOpen(tx, id)
  const product = body.choice('product_type', PRODUCTS)
  if (dispute.stage === 'CHARGEBACK' && product === undefined)
    throw invalid('product_type', 'must not be empty')
  body.choice('reason', REASONS)
  body.text('product_description', 2_000)
  body.text('description', 2_000)
  body.text('refund_refusal_reason', 2_000)
  const documents = body.object('supporting_documents')?.json.documents
  const files = Array.isArray(documents) ? documents.flatMap((one: unknown) => filesOf(tx, one)) : []
  if (files.length === 0) throw invalid('supporting_documents', 'must hold at least one file')
  return changed(tx, id, { status: 'CHALLENGED' })
}

function filesOf(tx: Tx, document: unknown): string[] {
  if (!isObject(document)) throw invalid('supporting_documents.documents', 'must hold objects')
  const body = new Body(document)
  if (body.choice('type', DOCUMENTS) === undefined) throw invalid('type', 'must not be empty')
  const ids = document.file_ids
  if (!Array.isArray(ids)) throw invalid('file_ids', 'must be a list')
  return ids.map((id: unknown) => tx.get('file', String(id), 400).object.id)
}

function requireOpen(tx: Tx, id: string): Dispute {
  const { object } = tx.get('dispute', id)
  if (object.status !== 'REQUIRES_RESPONSE') throw wrongStatus(`The dispute is ${object.status}`)
  return object
}

export function readDispute({ tx, id }: Call): Dispute {
  return tx.get('dispute', id).object
}

/** `page` is a cursor, first `0`. */
export function listDisputes({ tx, query }: Call) {
  const size = Math.min(Number(query.get('size') ?? 10), 100)
  const start = Number(query.get('page') ?? 0)
  const from = query.get('from_updated_at')
  const found = [...tx.store.rows('dispute').values()]
    .map(({ object }) => object)
    .toReversed()
    .filter(({ status }) => query.get('status') === null || query.get('status') === status)
    .filter(({ stage }) => query.get('stage') === null || query.get('stage') === stage)
    .filter(({ updated_at }) => from === null || Date.parse(updated_at) >= Date.parse(from))
  const hasMore = found.length > start + size
  return {
    page_after: hasMore ? String(start + size) : '',
    page_before: start > 0 ? String(Math.max(0, start - size)) : '',
    items: found.slice(start, start + size),
  }
}

export function uploadFile({ tx, upload }: Call) {
  if (upload === null) throw invalid('file', 'must be sent as multipart/form-data')
  if (upload.content.length > MAX_FILE_BYTES) throw invalid('file', 'is too large')
  const id = Buffer.from(newId('file')).toString('base64url')
  const file: UploadedFile = {
    id,
    filename: upload.name,
    size: upload.content.length,
    created: tx.nowSeconds,
  }
  tx.insert('file', file)
  return { file_id: id, filename: file.filename, size: file.size, created: file.created, object_type: 'file' }
}
