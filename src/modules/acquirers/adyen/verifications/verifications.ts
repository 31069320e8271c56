import type { Reply } from '../../port/disputes.ts'
import type { Inquiry, VerifiedInstrument, VerifyOutcome, VerifyRequest } from '../../port/port.ts'
import type { AdyenApi } from '../api.ts'
import { authorisedAs, findResult, type Inquirer, type Question } from '../payments/inquiries.ts'
import { plainRecord, readPayment, refused, unknown } from '../payments/outcomes.ts'
import { type Merchant, shopperOf, verificationBody } from '../payments/payment-request.ts'
import { readReference, writeReference } from '../payments/reference.ts'
import { findStored, readSaved } from './stored-methods.ts'

const CLOSED: Inquiry = { kind: 'absent', closed: true }

export async function verify(
  api: AdyenApi,
  merchant: Merchant,
  request: VerifyRequest,
): Promise<VerifyOutcome> {
  const { instrument, key } = request
  if (instrument.type === 'acquirer_token') return lookUp(api, request, instrument.id)
  const prepared = verificationBody(merchant, request)
  if (!prepared.ok) return refused('invalid_request', prepared.problem)
  const answer = await api.begin({ path: '/payments', body: prepared.body, idempotencyKey: key })
  if (answer.kind === 'not_sent') return refused('not_sent', 'The acquirer is not answering at the moment.')
  if (answer.kind === 'unknown') return unknown(answer.message)
  if (answer.kind === 'rejected') return refused(answer.code, answer.message)
  const result = readPayment(answer.body)
  if (result.kind === 'declined' || result.kind === 'unknown') return result
  const { psp, record } = result
  const shopper = shopperOf(request)
  const reference = writeReference({ isPending: result.kind === 'waiting', psp, shopper })
  if (!(await request.commitReference(reference).catch(() => false)))
    return unknown('Another process has taken over the verification.')
  if (result.kind === 'waiting') {
    return { kind: 'pending', ...record, ...(result.nextAction && { nextAction: result.nextAction }) }
  }
  const verified = await readSaved(api, result.additional, { shopper, psp, id: null })
  if (verified === null) return { kind: 'pending', ...record }
  return { kind: 'approved', ...record, instrument: verified }
}

async function lookUp(api: AdyenApi, request: VerifyRequest, id: string): Promise<VerifyOutcome> {
  const { instrument } = request
  const own = instrument.type === 'acquirer_token' ? instrument.payerReference : null
  const found = await findStored(api, { shopper: own ?? shopperOf(request), psp: null, id })
  if (found.kind === 'unavailable') return unknown(found.message)
  if (found.kind === 'refused') return refused('refused', found.message)
  if (found.kind === 'absent') {
    return refused('stored_payment_method_not_found', 'The payer has no such stored payment method at Adyen.')
  }
  return { kind: 'approved', ...plainRecord(id, 'Found'), instrument: found.value }
}

export async function inquireVerification(
  inquirer: Inquirer,
  { lookup, isClosing }: Question,
): Promise<Inquiry> {
  const reference = lookup.reference === null ? null : readReference(lookup.reference)
  const found = await findResult(inquirer, lookup, reference)
  const isAuthorised = reference?.isPending === false && reference.psp !== null
  const known = found.kind === 'none' && isAuthorised ? authorisedAs(reference.psp) : found
  if (known.kind === 'settled') return known.inquiry
  if (known.kind === 'canceled') return CLOSED
  if (known.kind === 'none') {
    if (isClosing) return CLOSED
    if (reference === null) return { kind: 'absent', closed: false }
    const { nextAction } = lookup
    return {
      kind: 'pending',
      ...plainRecord(reference.psp ?? '', 'Pending'),
      ...(nextAction && { nextAction }),
    }
  }
  const { facts, additional, record } = known
  const shopper = reference?.shopper ?? facts.shopperReference ?? null
  const psp = record.gatewayTransactionId
  const instrument =
    shopper === null
      ? null
      : await readSaved(inquirer.api, additional, { shopper, psp, id: facts.storedPaymentMethodId ?? null })
  if (instrument !== null) return { kind: 'approved', ...record, instrument }
  return isClosing ? CLOSED : { kind: 'pending', ...record }
}

export async function readInstrument(
  api: AdyenApi,
  id: string,
  payerReference: string | null,
): Promise<Reply<VerifiedInstrument>> {
  if (payerReference === null) return { kind: 'absent' }
  return findStored(api, { shopper: payerReference, psp: null, id })
}
