import type { Amount } from './amounts.ts'
import { type Desk, newPspReference } from './desk.ts'
import { type Json, merchantAccountOf, text } from './json.ts'
import type { DefenseDocument, DisputeState, JournalLine, Modification, PaymentState } from './model.ts'
import { notifyDispute } from './notices.ts'
import { disputeTriggerOf } from './triggers.ts'

const DEFENSE_PERIOD_MS = 14 * 86_400_000

interface Reason {
  readonly code: string
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** The four reasons of the example in Adyen's description. */
const REASONS: readonly Reason[] = [
  { code: 'GoodsNotReturned', required: ['GoodsNotReturned'], optional: ['TIDorInvoice'] },
  { code: 'GoodsRepairedOrReplaced', required: ['GoodsRepairedOrReplaced'], optional: ['TIDorInvoice'] },
  { code: 'GoodsWereAsDescribed', required: ['GoodsWereAsDescribed', 'TIDorInvoice'], optional: [] },
  { code: 'SupplyDefenseMaterial', required: ['DefenseMaterial'], optional: ['TIDorInvoice'] },
]
const DOCUMENT_TYPES = new Set(REASONS.flatMap(({ required, optional }) => [...required, ...optional]))

/** Adyen's limits by content type, in bytes. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  'application/pdf': 2 * 1024 * 1024,
  'image/jpeg': 10 * 1024 * 1024,
  'image/jpg': 10 * 1024 * 1024,
  'image/tiff': 10 * 1024 * 1024,
}

const SUCCESS: Json = { disputeServiceResult: { success: true } }

function failure(errorMessage: string): Json {
  return { disputeServiceResult: { success: false, errorMessage } }
}

/** POST /retrieveApplicableDefenseReasons. */
export function defenseReasons(desk: Desk, body: Json): Json {
  const dispute = disputeOf(desk, body)
  if (typeof dispute === 'string') return failure(dispute)
  const supplied = new Set(dispute.documents.map(({ typeCode }) => typeCode))
  const documentTypes = (codes: readonly string[], requirementLevel: string) =>
    codes.map((code) => ({
      defenseDocumentTypeCode: code,
      requirementLevel,
      available: supplied.has(code),
    }))
  return {
    ...SUCCESS,
    defenseReasons: REASONS.map(({ code, required, optional }) => ({
      defenseReasonCode: code,
      satisfied: required.every((each) => supplied.has(each)),
      defenseDocumentTypes: [...documentTypes(required, 'Required'), ...documentTypes(optional, 'Optional')],
    })),
  }
}

/** POST /supplyDefenseDocument. A document replaces an earlier one of its type. */
export function supplyDocuments(desk: Desk, body: Json): Json {
  const dispute = disputeOf(desk, body)
  if (typeof dispute === 'string') return failure(dispute)
  if (dispute.status !== 'Unresponded') return failure('The dispute can no longer be defended')
  const supplied = body['defenseDocuments']
  if (!Array.isArray(supplied) || supplied.length === 0)
    return failure('Required field defenseDocuments is missing')
  let documents = dispute.documents
  for (const each of supplied) {
    const document = readDocument(each as Json)
    if (typeof document === 'string') return failure(document)
    documents = [...documents.filter(({ typeCode }) => typeCode !== document.typeCode), document]
  }
  desk.push({ type: 'dispute_changed', psp: dispute.psp, documents })
  return SUCCESS
}

function readDocument(body: Json): DefenseDocument | string {
  const typeCode = text(body, 'defenseDocumentTypeCode') ?? ''
  const contentType = text(body, 'contentType') ?? ''
  const content = text(body, 'content') ?? ''
  const bytes = Buffer.from(content, 'base64').length
  const max = MAX_BYTES[contentType]
  if (!DOCUMENT_TYPES.has(typeCode)) return `Unknown defense document type ${typeCode}`
  if (max === undefined) return `Unsupported content type ${contentType}`
  if (bytes === 0) return 'The document is empty'
  return bytes > max ? 'The document is too large' : { typeCode, contentType, bytes }
}

/** POST /deleteDisputeDefenseDocument. */
export function deleteDocument(desk: Desk, body: Json): Json {
  const dispute = disputeOf(desk, body)
  if (typeof dispute === 'string') return failure(dispute)
  const code = text(body, 'defenseDocumentType')
  const documents = dispute.documents.filter(({ typeCode }) => typeCode !== code)
  if (documents.length === dispute.documents.length) return failure('No such defense document')
  desk.push({ type: 'dispute_changed', psp: dispute.psp, documents })
  return SUCCESS
}

/** POST /defendDispute: the money comes back until the issuer decides. */
export function defend(desk: Desk, body: Json): Json {
  const dispute = disputeOf(desk, body)
  if (typeof dispute === 'string') return failure(dispute)
  if (dispute.status !== 'Unresponded') return failure('The dispute can no longer be defended')
  const reason = REASONS.find(({ code }) => code === text(body, 'defenseReasonCode'))
  if (reason === undefined) return failure('The defense reason is not applicable')
  const supplied = new Set(dispute.documents.map(({ typeCode }) => typeCode))
  const missing = reason.required.find((code) => !supplied.has(code))
  if (missing !== undefined) return failure(`Required defense document ${missing} is missing`)
  desk.push({ type: 'dispute_changed', psp: dispute.psp, status: 'Pending', defenseReasonCode: reason.code })
  notifyDispute(desk, dispute, 'INFORMATION_SUPPLIED')
  if (dispute.chargedBack) reverseChargeback(desk, dispute)
  return SUCCESS
}

/** POST /acceptDispute. */
export function accept(desk: Desk, body: Json): Json {
  const dispute = disputeOf(desk, body)
  if (typeof dispute === 'string') return failure(dispute)
  if (dispute.status !== 'Unresponded') return failure('The dispute can no longer be accepted')
  desk.push({ type: 'dispute_changed', psp: dispute.psp, status: 'Accepted' })
  return SUCCESS
}

function disputeOf(desk: Desk, body: Json): DisputeState | string {
  const account = merchantAccountOf(body, 'merchantAccountCode')
  const psp = text(body, 'disputePspReference')
  const dispute = psp === null ? undefined : desk.model.disputes.get(psp)
  if (dispute === undefined) return 'Unknown dispute'
  return desk.model.payment(dispute.payment).merchantAccount === account ? dispute : 'Unknown dispute'
}

/** Opens a dispute if the card's holder name requests one. */
export function openTestDispute(desk: Desk, payment: PaymentState, capture: Modification): void {
  const trigger = disputeTriggerOf(payment.card.holderName)
  if (trigger === null) return
  const { reasonCode, stage } = trigger
  const dispute = openDispute(desk, payment, { capture, amount: capture.amount, reasonCode })
  chargeBack(desk, dispute)
  if (stage !== 'chargeback') reverseChargeback(desk, dispute)
  if (stage === 'second') decide(desk, dispute, 'lost')
}

export function openDispute(
  desk: Desk,
  payment: PaymentState,
  { capture, amount, reasonCode }: { capture: Modification | null; amount: Amount; reasonCode: string },
): DisputeState {
  const psp = newPspReference()
  desk.push({
    type: 'dispute',
    dispute: {
      psp,
      payment: payment.psp,
      capture,
      amount,
      reasonCode,
      openedAtMs: desk.nowMs,
      endsAtMs: desk.nowMs + DEFENSE_PERIOD_MS,
    },
  })
  const dispute = desk.model.disputes.get(psp)
  if (dispute === undefined) throw new Error('The dispute was not stored')
  notifyDispute(desk, dispute, 'NOTIFICATION_OF_CHARGEBACK')
  return dispute
}

export function chargeBack(desk: Desk, dispute: DisputeState): void {
  desk.push({ type: 'dispute_changed', psp: dispute.psp, chargedBack: true })
  journal(desk, dispute, 'Chargeback')
  notifyDispute(desk, dispute, 'CHARGEBACK')
}

function reverseChargeback(desk: Desk, dispute: DisputeState): void {
  desk.push({ type: 'dispute_changed', psp: dispute.psp, chargedBack: false })
  journal(desk, dispute, 'ChargebackReversed')
  notifyDispute(desk, dispute, 'CHARGEBACK_REVERSED')
}

/** The issuer accepts the defense by silence, or charges back a second time. */
export function decide(desk: Desk, dispute: DisputeState, outcome: 'won' | 'lost'): void {
  desk.push({ type: 'dispute_changed', psp: dispute.psp, status: outcome === 'won' ? 'Won' : 'Lost' })
  if (outcome === 'won') notifyDispute(desk, dispute, 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED')
  else if (!dispute.chargedBack) takeAgain(desk, dispute)
}

function takeAgain(desk: Desk, dispute: DisputeState): void {
  desk.push({ type: 'dispute_changed', psp: dispute.psp, chargedBack: true })
  journal(desk, dispute, 'SecondChargeback')
  notifyDispute(desk, dispute, 'SECOND_CHARGEBACK')
}

/** Ends unused defense periods. */
export function endDefensePeriods(desk: Desk): void {
  for (const dispute of desk.model.disputes.values()) {
    if (dispute.status !== 'Unresponded' || desk.nowMs < dispute.endsAtMs) continue
    desk.push({ type: 'dispute_changed', psp: dispute.psp, status: 'Expired' })
    if (!dispute.chargedBack) chargeBack(desk, dispute)
    notifyDispute(desk, dispute, 'DISPUTE_DEFENSE_PERIOD_ENDED')
  }
}

function journal(desk: Desk, dispute: DisputeState, type: JournalLine['type']): void {
  const payment = desk.model.payment(dispute.payment)
  const sign = type === 'ChargebackReversed' ? 1 : -1
  desk.push({
    type: 'journal',
    line: {
      type,
      merchantAccount: payment.merchantAccount,
      payment: payment.psp,
      modificationPsp: dispute.psp,
      modificationReference: payment.reference,
      amount: { ...dispute.amount, value: sign * dispute.amount.value },
      atMs: desk.nowMs,
    },
  })
}
