import { type IntentRefund, type RefundRequest, type Step, unknown } from '../../intents/intent.ts'
import type { Members } from '../../port/members.ts'
import { toAirwallexAmount } from '../amounts.ts'
import type { AirwallexClient, Via } from '../wire/airwallex-client.ts'
import { listOf, membersOf, textOf } from '../wire/members.ts'
import { readFailure } from './read-intent.ts'

const PAGE = 200
/** Beyond these pages nobody knows whether a refund was booked, so its outcome stays unknown and no second one is sent. */
const MAX_PAGES = 10

export async function refundIntent(
  client: AirwallexClient,
  via: Via,
  { key, amount: money, originalReference }: RefundRequest,
): Promise<Step<IntentRefund>> {
  const amount = toAirwallexAmount(money)
  if ('problem' in amount) {
    return { kind: 'refused', responseCode: 'amount_not_supported', responseMessage: amount.problem }
  }
  const body = {
    payment_intent_id: originalReference,
    amount: amount.amount,
    metadata: { quittance_key: key },
  }
  const answer = await client.post('/pa/refunds/create', body, { via, requestId: key })
  if (answer.kind === 'ok') {
    const refund = readRefund(answer.object)
    return refund === null ? unknown("Airwallex's response cannot be parsed.") : { kind: 'ok', value: refund }
  }
  if (answer.kind !== 'error' || answer.code !== 'duplicate_request') return readFailure(answer)
  const refunds = await listRefunds(client, via, originalReference)
  if (refunds.kind !== 'ok') return refunds
  const own = refunds.value.find((refund) => refund.key === key)
  return own === undefined
    ? unknown('Airwallex has seen the refund, and does not list it.')
    : { kind: 'ok', value: own }
}

export async function listRefunds(
  client: AirwallexClient,
  via: Via,
  intentId: string,
): Promise<Step<readonly IntentRefund[]>> {
  const refunds: IntentRefund[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { payment_intent_id: intentId, page_num: String(page), page_size: String(PAGE) }
    const answer = await client.get('/pa/refunds', query, via)
    if (answer.kind !== 'ok') return readFailure(answer)
    if (!Array.isArray(answer.object.items)) return unknown("Airwallex's list cannot be parsed.")
    for (const one of listOf(answer.object.items)) {
      const refund = readRefund(membersOf(one))
      if (refund === null) return unknown("A refund in Airwallex's list cannot be parsed.")
      refunds.push(refund)
    }
    if (answer.object.has_more !== true) return { kind: 'ok', value: refunds }
  }
  return unknown('The payment has too many refunds to search.')
}

/** `PROCESSING` and `SUCCEEDED` are words of versions before 2025-02-14. */
const TAKEN: ReadonlySet<string> = new Set(['RECEIVED', 'ACCEPTED', 'SETTLED', 'PROCESSING', 'SUCCEEDED'])

function readRefund(object: Members): IntentRefund | null {
  const id = textOf(object.id)
  const status = textOf(object.status)
  if (id === null || status === null) return null
  const key = textOf(membersOf(object.metadata).quittance_key) ?? textOf(object.request_id)
  const failure = textOf(membersOf(object.failure_details).code)
  const record = {
    gatewayTransactionId: id,
    rrn: textOf(object.payment_attempt_id) ?? '',
    authCode: '',
    batchNumber: '',
    responseCode: failure ?? status,
    responseMessage: '',
  }
  if (TAKEN.has(status)) return { key, outcome: { kind: 'approved', ...record } }
  if (status === 'FAILED') return { key, outcome: { kind: 'declined', hard: false, ...record } }
  return { key, outcome: { kind: 'pending', ...record } }
}
