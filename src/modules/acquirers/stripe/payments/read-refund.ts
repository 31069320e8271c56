import type { IntentRefund } from '../../intents/intent.ts'
import type { Members } from '../../port/members.ts'
import { idOf, membersOf, textOf } from '../wire/members.ts'

export function readRefund(object: Members): IntentRefund | null {
  const id = textOf(object.id)
  const status = textOf(object.status)
  if (id === null || status === null) return null
  const key = textOf(membersOf(object.metadata).quittance_key)
  const failure = textOf(object.failure_reason)
  const record = {
    gatewayTransactionId: id,
    rrn: idOf(object.charge) ?? '',
    authCode: '',
    batchNumber: '',
    responseCode: failure ?? status,
    responseMessage: '',
  }
  switch (status) {
    case 'succeeded':
      return { key, outcome: { kind: 'approved', ...record } }
    case 'pending':
    case 'requires_action':
      return { key, outcome: { kind: 'pending', ...record } }
    case 'failed':
    case 'canceled':
      return { key, outcome: { kind: 'declined', hard: false, ...record } }
    default:
      return null
  }
}
