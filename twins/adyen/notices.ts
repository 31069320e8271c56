import { createHmac } from 'node:crypto'
import type { NoticeSender } from '../common/notices.ts'
import type { Amount } from './amounts.ts'
import type { Desk } from './desk.ts'
import type { DisputeState, Modification, Notice, PaymentState, StoredPaymentMethod } from './model.ts'

type SignNotice = Parameters<NoticeSender['send']>[1]
type Strings = Readonly<Record<string, string>>

/** Members of a `NotificationRequestItem` but its signature, which needs the receiver's secret. */
interface Item {
  readonly eventCode: string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly amount: Amount
  readonly success: boolean
  readonly reason: string
  readonly paymentMethod?: string
  readonly operations?: readonly string[]
  readonly additionalData?: Strings
}

/** `2021-01-01T01:00:00+01:00`; the twin's zone is UTC. */
function eventDate(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}+00:00`
}

function notify(desk: Desk, { success, additionalData = {}, ...item }: Item): void {
  const content = { ...item, additionalData, eventDate: eventDate(desk.nowMs), success: String(success) }
  desk.notify({ kind: 'standard', merchantAccount: item.merchantAccountCode, content })
}

export function notifyAuthorisation(desk: Desk, payment: PaymentState): void {
  const { card, refusal } = payment
  const authorised = payment.resultCode === 'Authorised'
  notify(desk, {
    eventCode: 'AUTHORISATION',
    pspReference: payment.psp,
    merchantAccountCode: payment.merchantAccount,
    merchantReference: payment.reference,
    amount: payment.amount,
    success: authorised,
    reason: authorised
      ? `${payment.authCode}:${card.lastFour}:${card.expiryMonth}/${card.expiryYear}`
      : (refusal?.reason ?? 'Refused'),
    paymentMethod: card.brand,
    ...(authorised && {
      operations: payment.captureDelayHours === 0 ? ['REFUND'] : ['CANCEL', 'CAPTURE', 'REFUND'],
    }),
    additionalData: {
      cardSummary: card.lastFour,
      cardBin: card.bin,
      expiryDate: `${card.expiryMonth}/${card.expiryYear}`,
      issuerCountry: card.country,
      paymentMethodVariant: card.brand,
      ...(authorised && { authCode: payment.authCode }),
      ...(refusal && { refusalReasonRaw: refusal.reason }),
      ...(payment.shopperReference !== null && { shopperReference: payment.shopperReference }),
      ...(authorised && payment.stores && storedData(payment)),
    },
  })
}

export function storedData(payment: PaymentState): Strings {
  if (payment.storedId === null || payment.shopperReference === null) return {}
  return {
    'recurring.recurringDetailReference': payment.storedId,
    'recurring.shopperReference': payment.shopperReference,
    ...(payment.recurringProcessingModel !== null && {
      recurringProcessingModel: payment.recurringProcessingModel,
    }),
    'tokenization.storedPaymentMethodId': payment.storedId,
    'tokenization.shopperReference': payment.shopperReference,
    'tokenization.store.operationType': payment.storedIsNew ? 'created' : 'alreadyExisting',
  }
}

type ModificationEvent = 'CAPTURE' | 'REFUND' | 'CANCELLATION' | 'TECHNICAL_CANCEL' | 'CANCEL_OR_REFUND'

export function notifyModification(
  desk: Desk,
  payment: PaymentState,
  { modification, eventCode }: { modification: Modification; eventCode: ModificationEvent },
): void {
  notify(desk, {
    ...itemOf(payment, modification),
    eventCode,
    merchantReference:
      eventCode === 'TECHNICAL_CANCEL' ? payment.reference : (modification.reference ?? payment.reference),
    success: modification.success,
    reason: modification.reason,
    additionalData: {
      paymentMethodVariant: payment.card.brand,
      ...(eventCode === 'CANCEL_OR_REFUND' && { 'modification.action': modification.kind }),
    },
  })
}

/** The bank refused a modification that Adyen had accepted. */
export function notifyFailure(desk: Desk, payment: PaymentState, modification: Modification): void {
  const isCapture = modification.kind === 'capture'
  notify(desk, {
    ...itemOf(payment, modification),
    eventCode: isCapture ? 'CAPTURE_FAILED' : 'REFUND_FAILED',
    success: true,
    reason: isCapture ? 'Capture Failed' : 'Refund Failed',
    additionalData: { paymentMethodVariant: payment.card.brand },
  })
}

/** A technical cancel that found nothing to cancel. */
export function notifyNothingCancelled(
  desk: Desk,
  cancel: { merchantAccount: string; psp: string; paymentReference: string; amount: Amount; reason: string },
): void {
  notify(desk, {
    eventCode: 'TECHNICAL_CANCEL',
    pspReference: cancel.psp,
    merchantAccountCode: cancel.merchantAccount,
    merchantReference: cancel.paymentReference,
    amount: cancel.amount,
    success: false,
    reason: cancel.reason,
  })
}

function itemOf(payment: PaymentState, { psp, reference, amount }: Modification) {
  return {
    pspReference: psp,
    originalReference: payment.psp,
    merchantAccountCode: payment.merchantAccount,
    merchantReference: reference ?? payment.reference,
    amount,
    paymentMethod: payment.card.brand,
  }
}

export type DisputeEvent =
  | 'NOTIFICATION_OF_CHARGEBACK'
  | 'CHARGEBACK'
  | 'CHARGEBACK_REVERSED'
  | 'SECOND_CHARGEBACK'
  | 'INFORMATION_SUPPLIED'
  | 'DISPUTE_DEFENSE_PERIOD_ENDED'
  | 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'

export function notifyDispute(desk: Desk, dispute: DisputeState, eventCode: DisputeEvent): void {
  const payment = desk.model.payment(dispute.payment)
  const { capture } = dispute
  notify(desk, {
    eventCode,
    pspReference: dispute.psp,
    originalReference: payment.psp,
    merchantAccountCode: payment.merchantAccount,
    merchantReference: payment.reference,
    amount: dispute.amount,
    success: true,
    reason: 'Other Fraud-Card Absent Environment',
    paymentMethod: payment.card.brand,
    additionalData: {
      chargebackReasonCode: dispute.reasonCode,
      chargebackSchemeCode: payment.card.brand,
      defendable: String(dispute.status === 'Unresponded'),
      defensePeriodEndsAt: eventDate(dispute.endsAtMs),
      disputeStatus: dispute.status,
      grossCurrency: dispute.amount.currency,
      grossValue: String(dispute.amount.value),
      paymentMethodVariant: payment.card.brand,
      ...(payment.shopperReference !== null && { shopperReference: payment.shopperReference }),
      ...(capture && { capturePspReference: capture.psp }),
      ...(capture?.reference && {
        captureMerchantReference: capture.reference,
        modificationMerchantReferences: capture.reference,
      }),
    },
  })
}

export function notifyReport(
  desk: Desk,
  report: { merchantAccount: string; fileName: string; url: string; currency: string },
): void {
  notify(desk, {
    eventCode: 'REPORT_AVAILABLE',
    pspReference: report.fileName,
    merchantAccountCode: report.merchantAccount,
    merchantReference: '',
    amount: { currency: report.currency, value: 0 },
    success: true,
    reason: report.url,
  })
}

export function notifyStored(desk: Desk, method: StoredPaymentMethod, eventId: string, isNew: boolean): void {
  desk.notify({
    kind: 'tokenization',
    merchantAccount: method.merchantAccount,
    content: {
      createdAt: new Date(desk.nowMs).toISOString(),
      environment: 'test',
      eventId,
      type: isNew ? 'recurring.token.created' : 'recurring.token.alreadyExisting',
      data: {
        merchantAccount: method.merchantAccount,
        ...(isNew && { operation: 'created' }),
        shopperReference: method.shopperReference,
        storedPaymentMethodId: method.id,
        type: method.card.brand,
      },
    },
  })
}

/** The secret is the HMAC key, in hexadecimal as Adyen shows it. Standard webhooks carry it in the item, others in a header. */
export function signed({ kind, content }: Notice): SignNotice {
  return (secret) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    if (kind === 'tokenization') {
      const body = JSON.stringify(content)
      return { body, headers: { ...headers, protocol: 'HmacSHA256', hmacsignature: hmac(body, secret) } }
    }
    const { amount, additionalData, ...item } = content as {
      readonly amount: Amount
      readonly additionalData: Strings
    } & Strings
    const payload = [
      item['pspReference'],
      item['originalReference'] ?? '',
      item['merchantAccountCode'],
      item['merchantReference'],
      amount.value,
      amount.currency,
      item['eventCode'],
      item['success'],
    ].join(':')
    const NotificationRequestItem = {
      ...item,
      amount,
      additionalData: { ...additionalData, hmacSignature: hmac(payload, secret) },
    }
    return {
      headers,
      body: JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem }] }),
    }
  }
}

function hmac(text: string, hexKey: string): string {
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(text, 'utf8').digest('base64')
}
