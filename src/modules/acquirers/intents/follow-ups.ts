import type { FollowUpRequest, Outcome } from '../port/port.ts'
import { approvedOf } from './confirmation.ts'
import { type Intent, type PaymentIntents, type RefundRequest, type Step, unknown } from './intent.ts'

export async function capture(intents: PaymentIntents<never>, request: FollowUpRequest): Promise<Outcome> {
  const captured = await intents.capture(request.originalReference, request)
  if (captured.kind === 'unknown') return captured
  if (captured.kind === 'ok')
    return captureOutcome(captured.value, request) ?? unknown('The capture is not confirmed.')
  return unlessDone(intents, request, captured, ({ state, capturedMinor }) => {
    return state === 'done' && capturedMinor === request.amount.minor
  })
}

export async function cancelHeld(intents: PaymentIntents<never>, request: FollowUpRequest): Promise<Outcome> {
  const canceled = await intents.cancel(request.originalReference)
  if (canceled.kind === 'unknown') return canceled
  if (canceled.kind === 'ok') {
    const { state, record } = canceled.value
    return state === 'canceled' ? { kind: 'approved', ...record } : unknown('The void is not confirmed.')
  }
  return unlessDone(intents, request, canceled, ({ state }) => state === 'canceled')
}

export async function refund(intents: PaymentIntents<never>, request: RefundRequest): Promise<Outcome> {
  const refunded = await intents.refund(request)
  if (refunded.kind === 'ok') return refunded.value.outcome
  return refunded.kind === 'declined' ? refunded.decline.outcome : refunded
}

/**
 * The refusal stands unless the intent shows that the operation was done: a repeated request whose key the acquirer has
 * forgotten is refused because of its own earlier success.
 */
async function unlessDone(
  intents: PaymentIntents<never>,
  { originalReference }: FollowUpRequest,
  step: Extract<Step<Intent>, { kind: 'declined' | 'refused' }>,
  isDone: (intent: Intent) => boolean,
): Promise<Outcome> {
  const read = await intents.read(originalReference)
  if (read.kind === 'ok' && isDone(read.value)) return { kind: 'approved', ...read.value.record }
  const refusal = step.kind === 'declined' ? step.decline.outcome : step
  return read.kind === 'unknown' ? unknown(`${refusal.responseCode}: the payment cannot be read.`) : refusal
}

function captureOutcome(intent: Intent, { amount }: FollowUpRequest): Outcome | null {
  const { state, record } = intent
  if (state === 'done') return approvedOf(intent, amount, record)
  return state === 'processing' ? { kind: 'pending', ...record } : null
}
