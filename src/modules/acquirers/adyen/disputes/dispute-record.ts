import { type Instant, isBefore } from '#kernel/clock'
import type { DisputeRecord, DisputeState } from '../../port/disputes.ts'
import type { Notice } from '../../port/notices.ts'
import { fromAdyenAmount } from '../amounts.ts'
import { type Facts, factsOfNotice, timeOf } from '../notices/facts.ts'

const STATES: Readonly<Record<string, DisputeState>> = {
  REQUEST_FOR_INFORMATION: 'inquiry_needs_response',
  NOTIFICATION_OF_CHARGEBACK: 'needs_response',
  CHARGEBACK: 'needs_response',
  INFORMATION_SUPPLIED: 'under_review',
  CHARGEBACK_REVERSED: 'under_review',
  ISSUER_COMMENTS: 'needs_response',
  PREARBITRATION_OPEN: 'needs_response',
  SCHEME_ARBITRATION: 'under_review',
  PREARBITRATION_DECLINED: 'under_review',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_ISSUER_WITHDRAWN: 'won',
  SCHEME_ARBITRATION_WON: 'won',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'lost',
  SECOND_CHARGEBACK: 'lost',
  PREARBITRATION_ACCEPTED: 'lost',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION_LOST: 'lost',
}
const ORDER = Object.keys(STATES)

const BY_STATUS: Readonly<Record<string, DisputeState>> = {
  Unresponded: 'needs_response',
  Undefended: 'needs_response',
  Responded: 'under_review',
  Pending: 'under_review',
  Won: 'won',
  Lost: 'lost',
  Accepted: 'lost',
  Expired: 'lost',
}
const AS_INQUIRY: Readonly<Partial<Record<DisputeState, DisputeState>>> = {
  needs_response: 'inquiry_needs_response',
  under_review: 'inquiry_under_review',
  won: 'inquiry_closed',
  lost: 'inquiry_closed',
}
const UNDEFENDED_EVENTS = new Set([
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'ISSUER_COMMENTS',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
])
const INQUIRY_EVENTS = new Set(['REQUEST_FOR_INFORMATION', 'INFORMATION_SUPPLIED'])

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^10\.|^4837|^4870|^4871/, 'fraudulent'],
  [/^12\.6|^4834/, 'duplicate'],
  [/^13\.1$|^4855/, 'product_not_received'],
  [/^13\.2|^4841/, 'subscription_canceled'],
  [/^13\.[345]|^4853/, 'product_unacceptable'],
  [/^13\.[67]|^4860/, 'credit_not_processed'],
  [/^4863/, 'unrecognized'],
]

interface Event {
  readonly facts: Facts
  readonly at: Instant
}

export function disputeOf(reference: string, notices: readonly Notice[]): DisputeRecord | null {
  const events = notices
    .map(eventOf)
    .filter((event) => event !== null)
    .toSorted(byTime)
  const [first] = events
  const last = events.at(-1)
  const dated = events.map(({ facts }) => facts.defensePeriodEndsAt).filter((text) => text !== undefined)
  if (first === undefined || last === undefined) return null
  const paymentReference = valueOf(events, 'originalReference')
  const amount = fromAdyenAmount(last.facts.currency ?? '', last.facts.value ?? '')
  if (paymentReference === undefined || amount === null) return null
  const state = stateOf(events)
  return {
    reference,
    paymentReference,
    amount,
    reason: reasonOf(valueOf(events, 'chargebackReasonCode') ?? ''),
    state,
    respondBy: timeOf(dated.at(-1)),
    openedAt: first.at,
    isSubmitted: events.some(isDefended),
  }
}

function isDefended({ facts }: Event): boolean {
  return (
    !UNDEFENDED_EVENTS.has(facts.eventCode ?? '') || BY_STATUS[facts.disputeStatus ?? ''] === 'under_review'
  )
}

function stateOf(events: readonly Event[]): DisputeState {
  const last = events.findLast(({ facts }) => (facts.eventCode ?? '') in STATES)
  if (last === undefined) return 'needs_response'
  const { eventCode = '', disputeStatus = '' } = last.facts
  const state = BY_STATUS[disputeStatus] ?? STATES[eventCode] ?? 'needs_response'
  const isInquiry = events.every(({ facts }) => INQUIRY_EVENTS.has(facts.eventCode ?? ''))
  return isInquiry ? (AS_INQUIRY[state] ?? state) : state
}

function reasonOf(code: string): string {
  return REASONS.find(([pattern]) => pattern.test(code.trim()))?.[1] ?? 'general'
}

function valueOf(events: readonly Event[], fact: keyof Facts): string | undefined {
  return events.findLast(({ facts }) => facts[fact] !== undefined)?.facts[fact]
}

function eventOf(notice: Notice): Event | null {
  const facts = factsOfNotice(notice)
  const at = timeOf(facts.eventDate)
  return at === null ? null : { facts, at }
}

function byTime(a: Event, b: Event): number {
  if (isBefore(a.at, b.at)) return -1
  if (isBefore(b.at, a.at)) return 1
  return rankOf(a) - rankOf(b)
}

function rankOf({ facts }: Event): number {
  return ORDER.indexOf(facts.eventCode ?? '')
}
