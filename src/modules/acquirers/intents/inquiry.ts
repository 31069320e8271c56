import { realClock } from '#kernel/clock'
import type { Inquiry, Lookup, VerifyOutcome } from '../port/port.ts'
import {
  approvedOf,
  type Asked,
  cancelAndRead,
  cancelThen,
  type IntentKind,
  isOfAnotherAmount,
  OTHER_AMOUNT,
  outcomeOf,
} from './confirmation.ts'
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
  const asked = { kind, amount }
  const isOver = intent.state === 'done' || intent.state === 'canceled'
  if (!isOver && isOfAnotherAmount(intent, amount)) return OTHER_AMOUNT
  if (intent.state === 'open' && intent.decline !== null) {
    return cancelThen(intents, intent.id, asked, intent.decline.outcome)
  }
  return foundIn(intent, asked) ?? { kind: 'absent', closed: false }
}

export async function closeIntent(
  intents: Intents<never>,
  kind: IntentKind,
  { reference, amount }: Lookup,
): Promise<Inquiry> {
  if (reference === null) return { kind: 'absent', closed: true }
  const read = await intents.read(reference)
  if (read.kind !== 'ok') return notRead(read)
  const isOpen = read.value.state === 'open' || read.value.state === 'action'
  const intent = isOpen ? await cancelAndRead(intents, reference) : read.value
  const isStillOpen = intent === null || intent.state === 'open' || intent.state === 'action'
  if (isStillOpen) return unknown('The cancellation of the payment is not confirmed.')
  return foundIn(intent, { kind, amount }) ?? { kind: 'absent', closed: true }
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
  if (state !== 'done') return { kind: 'absent', closed: true }
  // There is one capture. Where the amounts are compared, it counts for what it took.
  if (read.value.amount !== undefined) return approvedOf(read.value, amount, record)
  return capturedMinor === amount?.minor ? { kind: 'approved', ...record } : { kind: 'absent', closed: true }
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

function foundIn(intent: Intent, asked: Asked): Inquiry | null {
  const outcome: Exclude<VerifyOutcome, { kind: 'refused' }> | null = outcomeOf(intent, asked)
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
