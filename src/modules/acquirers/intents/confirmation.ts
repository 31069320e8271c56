import { Money } from '#kernel/money'
import type { OperationKind, VerifyOutcome } from '../port/port.ts'
import {
  type Decline,
  type Declined,
  type Intent,
  type Intents,
  type Refused,
  type Step,
  unknown,
} from './intent.ts'

export type IntentKind = Extract<OperationKind, 'sale' | 'authorization'> | 'verification'

/** - `amount`: What we asked for; null for a verification. */
export interface Asked {
  readonly kind: IntentKind
  readonly amount: Money | null
}

export interface ConfirmationRequest {
  readonly commitReference: (reference: string) => Promise<boolean>
  readonly payerPresent: boolean
  readonly returnUrl?: string
  readonly amount?: Money
}

type Settled = Exclude<VerifyOutcome, { kind: 'refused' | 'unknown' }>

/**
 * Creates an intent, commits its id, and only then confirms it: until the id is committed no money can move, and from then
 * on the outcome can be found by id (reference/acquirers#outcomes).
 */
export async function createAndConfirm<Request extends ConfirmationRequest>(
  intents: Intents<Request>,
  request: Request,
  kind: IntentKind,
): Promise<VerifyOutcome> {
  const created = await intents.create(request)
  if (created.kind !== 'ok') return created.kind === 'declined' ? created.decline.outcome : created
  const { id } = created.value
  const asked = { kind, amount: request.amount ?? null }
  const isCommitted = await request.commitReference(id).catch(() => false)
  if (!isCommitted) return unknown('Another process has taken over the operation.')

  const confirmed = await intents.confirm(id, request, false)
  const needsPayer = !request.payerPresent && declineOf(confirmed)?.needsPayer === true
  const isAskable = needsPayer && request.returnUrl !== undefined
  return settle(intents, id, asked, isAskable ? await intents.confirm(id, request, true) : confirmed)
}

export function outcomeOf(intent: Intent, asked: Asked): Settled | ReturnType<typeof unknown> | null {
  const { record, action, instrument } = intent
  const known = { ...record, ...(instrument !== undefined && { instrument }) }
  switch (intent.state) {
    case 'done':
      return approvedOf(intent, asked.kind === 'sale' ? asked.amount : null, known)
    case 'held':
      if (isOfAnotherAmount(intent, asked.amount)) return OTHER_AMOUNT
      return { kind: asked.kind === 'authorization' ? 'approved' : 'pending', ...known }
    case 'action':
      return { kind: 'pending', ...known, ...(action !== null && { nextAction: action }) }
    case 'processing':
      return { kind: 'pending', ...known }
    case 'canceled':
      return intent.decline?.outcome ?? null
    case 'open':
      return null
  }
}

/**
 * What was captured counts, even if it is less than we asked for: it is the money that the acquirer will pay out. More, or an
 * amount in another currency, may fit no order, and a person decides.
 */
export function approvedOf<Known extends Intent['record']>(
  { amount, capturedMinor }: Pick<Intent, 'amount' | 'capturedMinor'>,
  asked: Money | null,
  known: Known,
): ({ readonly kind: 'approved'; readonly captured?: Money } & Known) | ReturnType<typeof unknown> {
  if (amount === undefined || asked === null) return { kind: 'approved', ...known }
  if (amount.currency !== asked.currency || capturedMinor <= 0n) return OTHER_AMOUNT
  const captured = Money.ofMinor(amount.currency, capturedMinor)
  if (captured.greaterThan(asked)) return OTHER_AMOUNT
  return { kind: 'approved', ...known, ...(captured.lessThan(asked) && { captured }) }
}

export function isOfAnotherAmount({ amount }: Pick<Intent, 'amount'>, asked: Money | null): boolean {
  if (amount === undefined || asked === null) return false
  return amount.currency !== asked.currency || !amount.equals(asked)
}

export const OTHER_AMOUNT = unknown('The payment is of another amount than we asked for.')

export async function cancelThen<Ended extends Declined | Refused>(
  intents: Intents<never>,
  id: string,
  asked: Asked,
  ended: Ended,
): Promise<Ended | Settled | ReturnType<typeof unknown>> {
  const intent = await cancelAndRead(intents, id)
  if (intent?.state === 'canceled') return ended
  const outcome = intent === null ? null : outcomeOf(intent, asked)
  return outcome ?? unknown(`${ended.responseCode}: the cancellation of the payment is not confirmed.`)
}

export async function cancelAndRead(intents: Intents<never>, id: string): Promise<Intent | null> {
  const canceled = await intents.cancel(id)
  if (canceled.kind === 'ok' && canceled.value.state === 'canceled') return canceled.value
  const read = await intents.read(id)
  return read.kind === 'ok' ? read.value : null
}

async function settle<Request extends ConfirmationRequest>(
  intents: Intents<Request>,
  id: string,
  asked: Asked,
  confirmed: Step<Intent>,
): Promise<VerifyOutcome> {
  if (confirmed.kind === 'unknown') return confirmed
  if (confirmed.kind === 'refused') return cancelThen<Refused>(intents, id, asked, confirmed)
  if (confirmed.kind === 'declined') return cancelDeclined(intents, id, asked, confirmed.decline)
  const intent = confirmed.value
  if (intent.state === 'open' && intent.decline !== null) {
    return cancelDeclined(intents, id, asked, intent.decline)
  }
  if (intent.state === 'action' && intent.action === null) {
    return cancelThen<Declined>(intents, id, asked, unanswerable(intent))
  }
  return outcomeOf(intent, asked) ?? unknown('The payment was confirmed and is still open.')
}

function cancelDeclined(
  intents: Intents<never>,
  id: string,
  asked: Asked,
  { outcome }: Decline,
): Promise<VerifyOutcome> {
  return cancelThen<Declined>(intents, id, asked, { ...outcome, gatewayTransactionId: id })
}

function declineOf(step: Step<Intent>): Decline | null {
  if (step.kind === 'declined') return step.decline
  if (step.kind !== 'ok' || step.value.state !== 'open') return null
  return step.value.decline
}

function unanswerable({ record }: Intent): Declined {
  return {
    kind: 'declined',
    hard: false,
    ...record,
    responseCode: 'authentication_required',
    responseMessage: 'The card requires 3-D Secure, and no return_url was given.',
  }
}
