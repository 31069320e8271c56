import type { Notice } from '../../port/notices.ts'
import { type Facts, factsOfNotice } from './facts.ts'

export type Evidence =
  | { readonly kind: 'authorised' | 'declined' | 'canceled'; readonly facts: Facts }
  | { readonly kind: 'none' }

const CANCELS = new Set(['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'])

export function evidenceOfPayment(notices: readonly Notice[], key: string, psp: string | null): Evidence {
  const facts = notices.map(factsOfNotice)
  const canceled = facts.find(
    ({ eventCode = '', success, originalReference }) =>
      CANCELS.has(eventCode) && success === 'true' && (psp === null || originalReference === psp),
  )
  if (canceled !== undefined) return { kind: 'canceled', facts: canceled }
  const results = facts.filter(
    ({ eventCode, merchantReference, pspReference }) =>
      eventCode === 'AUTHORISATION' && merchantReference === key && (psp === null || pspReference === psp),
  )
  const authorised = results.find(({ success }) => success === 'true')
  if (authorised !== undefined) return { kind: 'authorised', facts: authorised }
  const [declined] = results
  return declined === undefined ? { kind: 'none' } : { kind: 'declined', facts: declined }
}

export type ModificationEvidence =
  | { readonly kind: 'done' | 'failed'; readonly facts: Facts }
  | { readonly kind: 'none' }

const EVENTS = {
  capture: { result: ['CAPTURE'], failure: 'CAPTURE_FAILED' },
  refund: { result: ['REFUND'], failure: 'REFUND_FAILED' },
  void: { result: ['CANCELLATION'], failure: null },
} as const

export function evidenceOfModification(
  notices: readonly Notice[],
  kind: keyof typeof EVENTS,
  isOurs: (facts: Facts) => boolean,
): ModificationEvidence {
  const { result, failure } = EVENTS[kind]
  const facts = notices.map(factsOfNotice)
  const results = facts.filter((each) => result.some((name) => name === each.eventCode) && isOurs(each))
  const references = new Set(results.map(({ pspReference }) => pspReference))
  const failed = facts.find(
    (each) => each.eventCode === failure && (isOurs(each) || references.has(each.pspReference)),
  )
  if (failed !== undefined) return { kind: 'failed', facts: failed }
  const [first] = results
  if (first === undefined) return { kind: 'none' }
  return { kind: first.success === 'true' ? 'done' : 'failed', facts: first }
}
