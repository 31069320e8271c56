import { maskCardNumbers } from '#platform/security/redaction'
import type { AcquirerRecord, NextAction, Outcome } from '../../port/port.ts'
import { adviceOf, declineOf } from '../declines.ts'
import type { Members } from '../../port/members.ts'
import { membersOf, textOf } from '../members.ts'

type Unknown = Extract<Outcome, { kind: 'unknown' }>
type Refused = Extract<Outcome, { kind: 'refused' }>
type Declined = Extract<Outcome, { kind: 'declined' }>

export type PaymentResult =
  | {
      readonly kind: 'authorised' | 'partly'
      readonly psp: string
      readonly record: AcquirerRecord
      readonly additional: Members
    }
  | {
      readonly kind: 'waiting'
      readonly psp: string | null
      readonly record: AcquirerRecord
      readonly nextAction?: NextAction
    }
  | Declined
  | Unknown

export function readPayment(body: Members): PaymentResult {
  const psp = textOf(body, 'pspReference')
  const resultCode = textOf(body, 'resultCode')
  const record = recordOf(body)
  switch (resultCode) {
    case 'Authorised':
    case 'PartiallyAuthorised':
      if (psp === '') return unknown('The authorized payment has no pspReference.')
      return {
        kind: resultCode === 'Authorised' ? 'authorised' : 'partly',
        psp,
        record,
        additional: membersOf(body, 'additionalData'),
      }
    case 'Refused':
    case 'Error':
    case 'Cancelled':
      return readRefusal(body, record)
    case 'RedirectShopper':
      return readRedirect(body, record)
    case 'Pending':
    case 'Received':
      if (psp === '') return unknown('The pending payment has no pspReference.')
      return { kind: 'waiting', psp, record }
    default:
      return unknown(`Adyen responded with the unexpected result ${resultCode.slice(0, 40)}.`)
  }
}

function readRedirect(body: Members, record: AcquirerRecord): PaymentResult {
  const psp = record.gatewayTransactionId || null
  const action = membersOf(body, 'action')
  const url = textOf(action, 'url')
  const isGet = textOf(action, 'method') !== 'POST'
  if (!/^https?:/.test(url) || !isGet) return unknown('Adyen did not return a GET redirect.')
  return { kind: 'waiting', psp, record, nextAction: { type: 'three_d_secure', url } }
}

function readRefusal(body: Members, record: AcquirerRecord): Declined {
  const code = textOf(body, 'refusalReasonCode')
  const message = textOf(body, 'refusalReason') || record.responseMessage
  return declined({
    record: { ...record, responseCode: code === '' ? record.responseCode : code },
    code,
    message,
    advice: adviceOf(membersOf(body, 'additionalData')),
  })
}

export function declined({
  record,
  code,
  message,
  advice,
}: {
  readonly record: AcquirerRecord
  readonly code: string
  readonly message: string
  readonly advice: string
}): Declined {
  const { hard, reason } = declineOf(code, message, advice)
  return { kind: 'declined', hard, reason, ...record, responseMessage: maskCardNumbers(message) }
}

export function needsPayer(body: Members): boolean {
  const decline = declineOf(textOf(body, 'refusalReasonCode'), textOf(body, 'refusalReason'), '')
  return textOf(body, 'resultCode') === 'Refused' && decline.reason === 'authentication_required'
}

function recordOf(body: Members): AcquirerRecord {
  const additional = membersOf(body, 'additionalData')
  const resultCode = textOf(body, 'resultCode')
  return {
    ...plainRecord(textOf(body, 'pspReference'), resultCode),
    rrn: textOf(additional, 'acquirerReference'),
    authCode: textOf(additional, 'authCode'),
  }
}

export function plainRecord(gatewayTransactionId: string, said: string): AcquirerRecord {
  return {
    gatewayTransactionId,
    rrn: '',
    authCode: '',
    batchNumber: '',
    responseCode: said,
    responseMessage: said,
  }
}

export function unknown(responseMessage: string): Unknown {
  return { kind: 'unknown', responseMessage }
}

export function refused(responseCode: string, responseMessage: string): Refused {
  return { kind: 'refused', responseCode, responseMessage }
}
