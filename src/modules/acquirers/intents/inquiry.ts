import { realClock } from '#kernel/clock'
import type { Inquiry, Lookup, VerifyOutcome } from '../port/port.ts'
import { cancelAndRead, cancelThen, type IntentKind, outcomeOf } from './confirmation.ts'
import {
  type Intent,
  type Intents,
  NOT_AUTHORIZED,
  type PaymentIntents,
  type Step,
  unknown,
} from './intent.ts'

/** Acquirers keep keys for 24 h and then run the request anew; an hour is left for clocks and slow requests. */
export const RESEND_HOURS = 23

export async function inquireIntent(
  intents: Intents<never>,
  kind: IntentKind,
  { reference, amount }: Lookup,
): Promise<Inquiry> {
  if (reference === null) return { kind: 'absent', closed: true }
  const read = await intents.read(reference)
  if (read.kind !== 'ok') return notRead(read)
  const intent = read.value
  if (isOfAnotherAmount(intent, kind, amount))
    return unknown('The payment is of another amount than we asked for.')
  if (intent.state === 'open' && intent.decline !== null) {
    return cancelThen(intents, intent.id, kind, intent.decline.outcome)
  }
  return foundIn(intent, kind) ?? { kind: 'absent', closed: false }
}

export async function closeIntent(
  intents: Intents<never>,
  kind: IntentKind,
  { reference }: Lookup,
): Promise<Inquiry> {
  if (reference === null) return { kind: 'absent', closed: true }
  const read = await intents.read(reference)
  if (read.kind !== 'ok') return notRead(read)
  const isOpen = read.value.state === 'open' || read.value.state === 'action'
  const intent = isOpen ? await cancelAndRead(intents, reference) : read.value
  const isStillOpen = intent === null || intent.state === 'open' || intent.state === 'action'
  if (isStillOpen) return unknown('The cancellation of the payment is not confirmed.')
  return foundIn(intent, kind) ?? { kind: 'absent', closed: true }
}

export async function inquireCapture(
  intents: PaymentIntents<never>,
  { originalReference, amount }: Lookup,
): Promise<Inquiry> {
  const read = await readOriginal(intents, originalReference)
  if (read.kind !== 'ok') return notRead(read)
  const { state, capturedMinor, record } = read.value
  if (state === 'held') return { kind: 'absent', closed: false }
  if (state === 'processing') return { kind: 'pending', ...record }
  const isOurs = state === 'done' && capturedMinor === amount?.minor
  return isOurs ? { kind: 'approved', ...record } : { kind: 'absent', closed: true }
}

export async function inquireVoid(
  intents: PaymentIntents<never>,
  { originalReference }: Lookup,
): Promise<Inquiry> {
  const read = await readOriginal(intents, originalReference)
  if (read.kind !== 'ok') return notRead(read)
  const { state, record } = read.value
  if (state === 'canceled') return { kind: 'approved', ...record }
  return { kind: 'absent', closed: state === 'done' }
}

export async function inquireRefund(
  intents: PaymentIntents<never>,
  { key, sentAt, originalReference, amount }: Lookup,
): Promise<Inquiry> {
  if (originalReference === null || amount === null) return unknown('The refund names no payment.')
  const refunds = await intents.refundsOf(originalReference)
  if (refunds.kind !== 'ok') return notRead(refunds)
  const found = refunds.value.find((refund) => refund.key === key)
  if (found !== undefined) return found.outcome
  const resendableUntil = sentAt.add({ hours: RESEND_HOURS })
  if (realClock.now().epochMilliseconds >= resendableUntil.epochMilliseconds) {
    return unknown(
      'The payment has no such refund, and it is too late to send the refund again under its key.',
    )
  }
  const sent = await intents.refund({ key, amount, originalReference })
  switch (sent.kind) {
    case 'ok':
      return sent.value.outcome
    case 'declined':
      return sent.decline.outcome
    case 'refused':
      return sent.responseCode === NOT_AUTHORIZED ? notRead(sent) : { kind: 'absent', closed: true }
    case 'unknown':
      return sent
  }
}

function isOfAnotherAmount(intent: Intent, kind: IntentKind, asked: Lookup['amount']): boolean {
  const { amount, state, capturedMinor } = intent
  if (amount === undefined || asked === null) return false
  if (amount.currency !== asked.currency || amount.minor !== asked.minor) return true
  return kind === 'sale' && state === 'done' && capturedMinor !== asked.minor
}

function foundIn(intent: Intent, kind: IntentKind): Inquiry | null {
  const outcome: Exclude<VerifyOutcome, { kind: 'refused' }> | null = outcomeOf(intent, kind)
  if (outcome !== null) return outcome
  return intent.state === 'canceled' ? { kind: 'absent', closed: true } : null
}

async function readOriginal(
  intents: PaymentIntents<never>,
  originalReference: string | null,
): Promise<Step<Intent>> {
  if (originalReference === null) return unknown('The operation names no payment.')
  return intents.read(originalReference)
}

function notRead(step: { readonly kind: string; readonly responseMessage?: string }): Inquiry {
  return unknown(step.responseMessage ?? 'The acquirer cannot be asked.')
}
