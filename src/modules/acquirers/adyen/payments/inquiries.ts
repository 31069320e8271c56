import { createHash } from 'node:crypto'
import { type Instant, isBefore, realClock } from '#kernel/clock'
import type { FindNotices, Notice } from '../../port/notices.ts'
import type { AcquirerRecord, Inquiry, Lookup, Outcome } from '../../port/port.ts'
import type { AdyenResponse, AdyenApi } from '../api.ts'
import type { Members } from '../../port/members.ts'
import { textOf } from '../members.ts'
import { evidenceOfModification, evidenceOfPayment, failureOf, isCanceled } from '../notices/evidence.ts'
import type { Facts } from '../notices/facts.ts'
import {
  cancel,
  cancelByKey,
  captureSale,
  modificationRecord,
  type ModificationKind,
  reverse,
} from './modifications.ts'
import { declined, type PaymentResult, plainRecord, readPayment, unknown } from './outcomes.ts'
import { readReference, type Reference, writeReference } from './reference.ts'

export interface Inquirer {
  readonly api: AdyenApi
  readonly findNotices: FindNotices
}

/** Adyen keeps keys for a week; an hour is left for clocks and slow requests. */
export const KEYS_KEPT_HOURS = 7 * 24 - 1
const CLOSED: Inquiry = { kind: 'absent', closed: true }
const STILL_OPEN: Inquiry = { kind: 'absent', closed: false }

export interface Question {
  readonly lookup: Lookup
  readonly isClosing: boolean
}

export type Known =
  | {
      readonly kind: 'authorised'
      readonly record: AcquirerRecord
      readonly facts: Facts
      readonly additional: Members
    }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'none' }
  | { readonly kind: 'settled'; readonly inquiry: Exclude<Inquiry, { kind: 'absent' }> }

export async function inquireCharge(inquirer: Inquirer, question: Question): Promise<Inquiry> {
  const { lookup } = question
  const reference = lookup.reference === null ? null : readReference(lookup.reference)
  const known: Known =
    reference?.psp == null || reference.isPending
      ? await findResult(inquirer, lookup, reference)
      : authorisedAs(reference.psp)
  if (known.kind === 'settled') return known.inquiry
  if (known.kind === 'canceled') return CLOSED
  if (known.kind === 'none') return endWithoutResult(inquirer.api, question, reference)
  if (reference?.isPending === true && !(await commitAuthorised(lookup, known.record)))
    return unknown('Another process has taken over the payment.')
  if (lookup.kind === 'sale') return completeSale(inquirer, lookup, known.record)
  return reference === null
    ? endWithoutResult(inquirer.api, question, reference)
    : { kind: 'approved', ...known.record }
}

function commitAuthorised(
  { commitReference }: Lookup,
  { gatewayTransactionId: psp }: AcquirerRecord,
): Promise<boolean> {
  return commitReference(writeReference({ isPending: false, psp, shopper: null })).catch(() => false)
}

/**
 * We capture only after we have stored Adyen's reference or a notice. Without either nothing was captured, so a cancel
 * closes the key. Earlier versions captured a payment that waited for its payer without storing more, so it is reversed,
 * which also refunds.
 */
async function endWithoutResult(
  api: AdyenApi,
  { lookup, isClosing }: Question,
  reference: Reference | null,
): Promise<Inquiry> {
  const { key, nextAction } = lookup
  const psp = reference?.psp ?? null
  if (!isClosing) {
    if (reference === null) return STILL_OPEN
    return { kind: 'pending', ...plainRecord(psp ?? '', 'Pending'), ...(nextAction && { nextAction }) }
  }
  return psp === null
    ? closedBy(await cancelByKey(api, key), { isRejectionFinal: true })
    : closedBy(await reverse(api, { key, psp }), { isRejectionFinal: false })
}

function closedBy(
  response: AdyenResponse,
  { isRejectionFinal }: { readonly isRejectionFinal: boolean },
): Inquiry {
  if (response.kind === 'ok' || (response.kind === 'rejected' && isRejectionFinal)) return CLOSED
  return unknown(`the payment was not canceled: ${response.message}`)
}

async function completeSale(
  { api, findNotices }: Inquirer,
  { key, amount, reference, sentAt }: Lookup,
  record: AcquirerRecord,
): Promise<Inquiry> {
  const psp = record.gatewayTransactionId
  const notices = await findNotices({ key, reference: psp })
  const captured = evidenceOfModification(
    notices,
    'capture',
    ({ originalReference }) => originalReference === psp,
  )
  if (captured.kind === 'done') return { kind: 'approved', ...record }
  if (captured.kind === 'failed') {
    const canceled = await cancel(api, { key, psp })
    if (canceled.kind !== 'ok') return unknown('The sale could be neither captured nor canceled.')
    if (isCaptureOver(captured.facts, notices, psp)) return failedModification(captured.facts, record)
    return unknown('Adyen refused the capture, and has not said yet that it canceled the payment.')
  }
  if (amount === null || !areKeysKept(sentAt))
    return unknown('Adyen has not reported whether the sale was captured.')
  const outcome = await captureSale(api, { key, amount, record })
  if (outcome.kind === 'refused') return CLOSED
  // An earlier closing whose result was not recorded may have canceled the payment. Then only the capture's notice is
  // proof.
  return outcome.kind === 'approved' && reference === null ? { ...outcome, kind: 'pending' } : outcome
}

/**
 * Adyen also refuses a capture when another one took the money: one of ours that was sent twice, or somebody's in the Customer
 * Area. The notice of that one may come later, so a refused capture counts only once Adyen has canceled the payment.
 * After CAPTURE_FAILED it counts at once: there the bank has refused a capture that Adyen had accepted.
 */
function isCaptureOver({ eventCode }: Facts, notices: readonly Notice[], psp: string): boolean {
  return eventCode === 'CAPTURE_FAILED' || isCanceled(notices, psp)
}

export function authorisedAs(psp: string): Extract<Known, { kind: 'authorised' }> {
  return { kind: 'authorised', record: plainRecord(psp, 'Authorised'), facts: {}, additional: {} }
}

export async function findResult(
  { api, findNotices }: Inquirer,
  lookup: Lookup,
  reference: Reference | null,
): Promise<Known> {
  const psp = reference?.psp ?? null
  const evidence = evidenceOfPayment(await findNotices({ key: lookup.key, reference: psp }), lookup.key, psp)
  switch (evidence.kind) {
    case 'canceled':
      return { kind: 'canceled' }
    case 'declined':
      // Without Adyen's reference the refusal may be that of the request that was sent before the payer was asked.
      if (reference !== null && psp === null) return askDetails(api, lookup, reference)
      return { kind: 'settled', inquiry: declinedByNotice(evidence.facts) }
    case 'authorised': {
      const { facts } = evidence
      return { ...authorisedAs(facts.pspReference ?? ''), facts }
    }
    case 'none':
      return reference === null ? { kind: 'none' } : askDetails(api, lookup, reference)
  }
}

/** Submits what the payer brought back. The payer can alter it, so the reply must be about this very payment. */
async function askDetails(api: AdyenApi, { key, returned }: Lookup, { psp }: Reference): Promise<Known> {
  const { redirectResult } = returned
  if (redirectResult === undefined || redirectResult === '') return { kind: 'none' }
  const digest = createHash('sha256').update(redirectResult).digest('hex').slice(0, 48)
  const response = await api.send({
    path: '/payments/details',
    body: { details: { redirectResult } },
    idempotencyKey: `details:${digest}`,
  })
  if (response.kind === 'unknown') return { kind: 'settled', inquiry: unknown(response.message) }
  if (response.kind === 'rejected') return { kind: 'none' }
  const merchantReference = textOf(response.body, 'merchantReference')
  const isOurs =
    psp === null
      ? merchantReference === key
      : textOf(response.body, 'pspReference') === psp &&
        (merchantReference === '' || merchantReference === key)
  return isOurs ? knownBy(readPayment(response.body)) : { kind: 'none' }
}

function knownBy(result: PaymentResult): Known {
  switch (result.kind) {
    case 'authorised':
      return { kind: 'authorised', record: result.record, facts: {}, additional: result.additional }
    case 'waiting':
    case 'partly':
      return { kind: 'none' }
    case 'declined':
    case 'unknown':
      return { kind: 'settled', inquiry: result }
  }
}

export async function inquireModification(
  { findNotices }: Inquirer,
  kind: ModificationKind,
  { key, originalReference, sentAt }: Lookup,
): Promise<Inquiry> {
  const notices = await findNotices({ key, reference: originalReference })
  const evidence = evidenceOfModification(notices, kind, ({ merchantReference }) => merchantReference === key)
  if (evidence.kind === 'none') {
    if (kind !== 'refund' || areKeysKept(sentAt)) return STILL_OPEN
    return unknown('Adyen no longer knows the key of the refund.')
  }
  const { pspReference = '' } = evidence.facts
  const record = modificationRecord(kind, {
    psp: pspReference,
    originalReference: originalReference ?? '',
    said: 'received',
  })
  return evidence.kind === 'done'
    ? { kind: 'approved', ...record }
    : failedModification(evidence.facts, record)
}

function failedModification(facts: Facts, record: AcquirerRecord): Inquiry {
  return { kind: 'declined', hard: false, ...record, ...failureOf(facts) }
}

function declinedByNotice(facts: Facts): Extract<Outcome, { kind: 'declined' }> {
  const { pspReference = '', reason = 'Refused', merchantAdviceCode = '' } = facts
  return declined({
    record: plainRecord(pspReference, 'Refused'),
    code: '',
    message: reason,
    advice: merchantAdviceCode,
  })
}

function areKeysKept(sentAt: Instant): boolean {
  return isBefore(realClock.now(), sentAt.add({ hours: KEYS_KEPT_HOURS }))
}
