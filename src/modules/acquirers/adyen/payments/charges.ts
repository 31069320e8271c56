import type { ChargeRequest, VerifyOutcome } from '../../port/port.ts'
import type { AdyenApi } from '../api.ts'
import { cancel, captureSale } from './modifications.ts'
import { needsPayer, type PaymentResult, readPayment, refused, unknown } from './outcomes.ts'
import { chargeBody, type Merchant, shopperOf, withPayer } from './payment-request.ts'
import { readSaved } from '../verifications/stored-methods.ts'
import { writeReference } from './reference.ts'

export type ChargeKind = 'sale' | 'authorization'

/**
 * Authorizes with manual capture, commits Adyen's reference, and only then captures a sale under a key of its own
 * (reference/acquirers#adyen).
 */
export async function charge(
  api: AdyenApi,
  merchant: Merchant,
  { kind, request }: { readonly kind: ChargeKind; readonly request: ChargeRequest },
): Promise<VerifyOutcome> {
  const prepared = chargeBody(merchant, request)
  if (!prepared.ok) return refused('invalid_request', prepared.problem)
  const { key, returnUrl } = request
  const answer = await api.begin({ path: '/payments', body: prepared.body, idempotencyKey: key })
  if (answer.kind === 'not_sent') return refused('not_sent', 'The acquirer is not answering at the moment.')
  if (answer.kind === 'unknown') return unknown(answer.message)
  if (answer.kind === 'rejected') return refused(answer.code, answer.message)
  const wasAskedForPayer = prepared.body['shopperInteraction'] === 'Ecommerce'
  if (wasAskedForPayer || returnUrl === undefined || !needsPayer(answer.body)) {
    return conclude(api, { kind, request, result: readPayment(answer.body) })
  }
  const again = await api.send({
    path: '/payments',
    body: withPayer(prepared.body, returnUrl),
    idempotencyKey: `${key}:payer`,
  })
  if (again.kind === 'unknown') return unknown(again.message)
  const result = readPayment(again.kind === 'ok' ? again.body : answer.body)
  return conclude(api, { kind, request, result })
}

async function conclude(
  api: AdyenApi,
  {
    kind,
    request,
    result,
  }: { readonly kind: ChargeKind; readonly request: ChargeRequest; readonly result: PaymentResult },
): Promise<VerifyOutcome> {
  const { key, amount } = request
  if (result.kind === 'declined' || result.kind === 'unknown') return result
  const { psp, record } = result
  if (result.kind === 'partly') {
    const canceled = await cancel(api, { key, psp: result.psp })
    if (canceled.kind !== 'ok') return unknown('The partial authorization could not be canceled.')
    return { kind: 'declined', hard: false, ...record }
  }
  const reference = writeReference({ isPending: result.kind === 'waiting', psp, shopper: null })
  if (!(await request.commitReference(reference).catch(() => false)))
    return unknown('Another process has taken over the payment.')
  if (result.kind === 'waiting') {
    return { kind: 'pending', ...record, ...(result.nextAction && { nextAction: result.nextAction }) }
  }
  const outcome =
    kind === 'sale'
      ? await captureSale(api, { key, amount, record })
      : { kind: 'approved' as const, ...record }
  const { savePayer } = request
  if (outcome.kind !== 'approved' || savePayer === undefined) return outcome
  const query = { shopper: shopperOf({ payer: savePayer }), psp: result.psp, id: null }
  const instrument = await readSaved(api, result.additional, query)
  return instrument === null ? outcome : { ...outcome, instrument }
}
