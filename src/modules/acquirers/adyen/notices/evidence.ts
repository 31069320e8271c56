import type { LaterFailure, Notice, ReportedFailure } from '../../port/notices.ts'
import { type Facts, factsOfNotice } from './facts.ts'

export type Evidence =
  | { readonly kind: 'authorised' | 'declined' | 'canceled'; readonly facts: Facts }
  | { readonly kind: 'none' }

const CANCELS = new Set(['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'])

export function evidenceOfPayment(notices: readonly Notice[], key: string, psp: string | null): Evidence {
  const facts = notices.map(factsOfNotice)
  const canceled = cancelIn(facts, psp)
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

export function isCanceled(notices: readonly Notice[], psp: string): boolean {
  return cancelIn(notices.map(factsOfNotice), psp) !== undefined
}

function cancelIn(facts: readonly Facts[], psp: string | null): Facts | undefined {
  return facts.find(
    ({ eventCode = '', success, originalReference }) =>
      CANCELS.has(eventCode) && success === 'true' && (psp === null || originalReference === psp),
  )
}

export type ModificationEvidence =
  | { readonly kind: 'done' | 'failed'; readonly facts: Facts }
  | { readonly kind: 'none' }

export const laterFailure: LaterFailure = (notices, { kind, key, reference }) => {
  const isSale = kind === 'sale'
  const own = isSale ? `${key}:capture` : key
  const evidence = evidenceOfModification(notices, isSale ? 'capture' : kind, (facts) =>
    isSale ? facts.originalReference === reference : facts.merchantReference === own,
  )
  if (evidence.kind !== 'failed' || evidence.facts.merchantReference !== own) return null
  return failureOf(evidence.facts)
}

export function failureOf({ eventCode = '', reason = '' }: Facts): ReportedFailure {
  const code = eventCode.toLowerCase()
  return {
    responseCode: /_(failed|reversed)$/.test(code) ? code : `${code}_failed`,
    responseMessage: reason === '' ? 'The acquirer could not perform the operation.' : reason,
  }
}

const EVENTS: Readonly<
  Record<'capture' | 'refund' | 'void', { readonly result: string; readonly failures: readonly string[] }>
> = {
  capture: { result: 'CAPTURE', failures: ['CAPTURE_FAILED'] },
  refund: { result: 'REFUND', failures: ['REFUND_FAILED', 'REFUNDED_REVERSED'] },
  void: { result: 'CANCELLATION', failures: [] },
}

/** An operation that was sent twice may have a failure, too, whose notice can come first. One success outweighs it. */
export function evidenceOfModification(
  notices: readonly Notice[],
  kind: keyof typeof EVENTS,
  isOurs: (facts: Facts) => boolean,
): ModificationEvidence {
  const { result, failures: later } = EVENTS[kind]
  const facts = notices.map(factsOfNotice)
  const results = facts.filter((each) => each.eventCode === result && isOurs(each))
  const references = new Set(results.map(({ pspReference }) => pspReference))
  const failures = facts.filter(
    (each) => later.includes(each.eventCode ?? '') && (isOurs(each) || references.has(each.pspReference)),
  )
  const failed = new Set(failures.map(({ pspReference }) => pspReference))
  const done = results.find(({ success, pspReference }) => success === 'true' && !failed.has(pspReference))
  if (done !== undefined) return { kind: 'done', facts: done }
  const [first] = [...failures, ...results]
  return first === undefined ? { kind: 'none' } : { kind: 'failed', facts: first }
}
