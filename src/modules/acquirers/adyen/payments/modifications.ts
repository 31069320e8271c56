import type { Money } from '#kernel/money'
import type { AcquirerRecord, FollowUpRequest, Outcome } from '../../port/port.ts'
import type { AdyenResponse, AdyenApi } from '../api.ts'
import { toAdyenAmount } from '../amounts.ts'
import { textOf } from '../members.ts'
import { plainRecord, refused, unknown } from './outcomes.ts'

export type ModificationKind = 'capture' | 'refund' | 'void'

const PATHS: Readonly<Record<ModificationKind, string>> = {
  capture: 'captures',
  refund: 'refunds',
  void: 'cancels',
}

/**
 * Adyen replies only "received". Captures and refunds count then, and a notice reports a later failure. A void counts once
 * its notice reports its outcome (reference/acquirers#adyen).
 */
export async function modify(
  api: AdyenApi,
  kind: ModificationKind,
  { key, amount, originalReference }: Pick<FollowUpRequest, 'key' | 'amount' | 'originalReference'>,
): Promise<Outcome> {
  const adyenAmount = toAdyenAmount(amount)
  if (adyenAmount === null) {
    return refused('invalid_amount', `Adyen does not support this amount in ${amount.currency}.`)
  }
  const response = await api.send({
    path: `/payments/${encodeURIComponent(originalReference)}/${PATHS[kind]}`,
    body: {
      merchantAccount: api.merchantAccount,
      reference: key,
      ...(kind !== 'void' && { amount: adyenAmount }),
    },
    idempotencyKey: key,
  })
  if (response.kind === 'unknown') return unknown(response.message)
  if (response.kind === 'rejected') return refused(response.code, response.message)
  const psp = textOf(response.body, 'pspReference')
  const record = modificationRecord(kind, { psp, originalReference, said: 'received' })
  return { kind: kind === 'void' ? 'pending' : 'approved', ...record }
}

export function modificationRecord(
  kind: ModificationKind,
  {
    psp,
    originalReference,
    said,
  }: { readonly psp: string; readonly originalReference: string; readonly said: string },
): AcquirerRecord {
  return kind === 'capture' ? { ...plainRecord(originalReference, said), rrn: psp } : plainRecord(psp, said)
}

export async function captureSale(
  api: AdyenApi,
  { key, amount, record }: { readonly key: string; readonly amount: Money; readonly record: AcquirerRecord },
): Promise<Outcome> {
  const originalReference = record.gatewayTransactionId
  const captured = await modify(api, 'capture', { key: `${key}:capture`, amount, originalReference })
  if (captured.kind === 'approved') return { kind: 'approved', ...record }
  if (captured.kind !== 'refused') return captured
  const canceled = await cancel(api, { key, psp: originalReference })
  return canceled.kind === 'ok'
    ? captured
    : unknown('The authorization could be neither captured nor canceled.')
}

export function cancel(
  api: AdyenApi,
  { key, psp }: { readonly key: string; readonly psp: string },
): Promise<AdyenResponse> {
  return api.send({
    path: `/payments/${encodeURIComponent(psp)}/cancels`,
    body: { merchantAccount: api.merchantAccount, reference: `${key}:cancel` },
    idempotencyKey: `${key}:cancel`,
  })
}

export function reverse(
  api: AdyenApi,
  { key, psp }: { readonly key: string; readonly psp: string },
): Promise<AdyenResponse> {
  return api.send({
    path: `/payments/${encodeURIComponent(psp)}/reversals`,
    body: { merchantAccount: api.merchantAccount, reference: `${key}:cancel` },
    idempotencyKey: `${key}:reversal`,
  })
}

/** Sends no idempotency key, so that a repeated cancel also cancels a payment that arrived after the first one. */
export function cancelByKey(api: AdyenApi, key: string): Promise<AdyenResponse> {
  return api.send({
    path: '/cancels',
    body: { merchantAccount: api.merchantAccount, paymentReference: key, reference: `${key}:cancel` },
    idempotencyKey: null,
  })
}
