import type { Reply } from '../port/disputes.ts'
import type { ConfirmedFailure, LaterFailure, Notice } from '../port/notices.ts'
import { CANCELED, FAILURES } from './notices.ts'
import { isIntentId, pathOf } from './payments/payment-intents.ts'
import { failedReply } from './reports/replies.ts'
import type { AirwallexClient } from './wire/airwallex-client.ts'
import { membersOf, safeMessage, textOf } from './wire/members.ts'

/** Reads the capture or refund that a notice calls failed, or the authorization that it calls canceled. Null if it is not. */
export async function confirmFailure(
  client: AirwallexClient,
  { type, subject: { reference } }: Pick<Notice, 'type' | 'subject'>,
): Promise<Reply<ConfirmedFailure | null>> {
  if (type === CANCELED) return confirmRelease(client, reference)
  return type === 'refund.failed' ? confirmRefund(client, reference) : confirmCapture(client, reference)
}

async function confirmRelease(client: AirwallexClient, id: string): Promise<Reply<ConfirmedFailure | null>> {
  if (!isIntentId(id)) return { kind: 'absent' }
  const answer = await client.get(pathOf(id))
  if (answer.kind !== 'ok') return failedReply(answer)
  const { status, metadata } = answer.object
  const { quittance_key: said, quittance_kind: held } = membersOf(metadata)
  const key = textOf(said)
  if (status !== 'CANCELLED' || held !== 'authorization' || key === null) return { kind: 'ok', value: null }
  return { kind: 'ok', value: { key, responseCode: 'cancelled', responseMessage: 'Canceled at Airwallex.' } }
}

async function confirmRefund(client: AirwallexClient, id: string): Promise<Reply<ConfirmedFailure | null>> {
  if (!/^rfd_\w{1,60}$/.test(id)) return { kind: 'absent' }
  const answer = await client.get(`/pa/refunds/${id}`)
  if (answer.kind !== 'ok') return failedReply(answer)
  const { status, metadata, request_id: requestId, failure_details: details } = answer.object
  const key = textOf(membersOf(metadata).quittance_key) ?? textOf(requestId)
  if (status !== 'FAILED' || key === null) return { kind: 'ok', value: null }
  const failure = membersOf(details)
  return {
    kind: 'ok',
    value: {
      key,
      responseCode: textOf(failure.code)?.slice(0, 64) ?? 'refund_failed',
      responseMessage: safeMessage(failure.message) ?? 'Airwallex could not perform the refund.',
    },
  }
}

/** Of an authorization the capture failed, whose request was the intent's last. */
async function confirmCapture(client: AirwallexClient, id: string): Promise<Reply<ConfirmedFailure | null>> {
  if (!isIntentId(id)) return { kind: 'absent' }
  const answer = await client.get(pathOf(id))
  if (answer.kind !== 'ok') return failedReply(answer)
  const { latest_payment_attempt: latest, metadata, request_id: requestId } = answer.object
  const attempt = membersOf(latest)
  const isFailed = attempt.status === 'CAPTURE_FAILED' || attempt.failure_code === 'capture_failed'
  const members = membersOf(metadata)
  const isHeld = members.quittance_kind === 'authorization'
  const key = textOf(isHeld ? requestId : members.quittance_key)?.replace(/:again$/, '') ?? null
  if (!isFailed || key === null) return { kind: 'ok', value: null }
  return {
    kind: 'ok',
    value: {
      key,
      responseCode: textOf(attempt.provider_original_response_code) ?? 'capture_failed',
      responseMessage: 'Airwallex could not capture the payment.',
    },
  }
}

export const laterFailure: LaterFailure = (notices, { key }) => {
  const failed = notices.find(
    ({ type, subject, facts }) =>
      FAILURES.has(type) && subject.key === key && facts.confirmed_code !== undefined,
  )
  if (failed === undefined) return null
  const { confirmed_code: responseCode = '', confirmed_message: responseMessage = '' } = failed.facts
  return { responseCode, responseMessage }
}
