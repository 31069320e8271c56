import type { Instant } from '#kernel/clock'
import type { Message, MessageState } from './message.ts'

/** A message that no mail server took within a day has failed. */
export const MAX_TRYING_MS = 24 * 3_600_000

/** - `delayMs`: Until the next try, as the rhythm of retries says; undefined when it has none left. */
interface Try {
  readonly at: Instant
  readonly recipients: readonly string[]
  readonly accepted: readonly string[]
  readonly refusedForGood: readonly string[]
  readonly error: string | null
  readonly delayMs: number | undefined
}

interface Tried {
  readonly state: MessageState
  readonly reached: readonly string[]
  readonly dueInMs: number | null
  readonly error: string | null
  readonly isSent: boolean
  readonly event: 'message.sent' | 'message.failed' | 'message.bounced' | null
}

/**
 * Decides what a try made of a message. The recipient decides its state. Copies are tried until they are accepted, refused for
 * good, or the day has passed.
 */
export function decideTry(
  message: Pick<Message, 'state' | 'recipient' | 'reached' | 'firstTryAt'>,
  tried: Try,
): Tried {
  const { recipient, state } = message
  const reached = [...message.reached, ...tried.accepted, ...tried.refusedForGood]
  const left = tried.recipients.filter((address) => !reached.includes(address))
  const elapsedMs = tried.at.epochMilliseconds - (message.firstTryAt ?? tried.at).epochMilliseconds
  const restMs = MAX_TRYING_MS - elapsedMs
  const isOver = restMs <= 0
  const dueInMs = left.length === 0 || isOver ? null : Math.min(tried.delayMs ?? restMs, restMs)
  const unchanged = { state, reached, dueInMs, error: tried.error, isSent: false, event: null } as const
  if (state !== 'queued' || recipient === null) return unchanged
  if (tried.accepted.includes(recipient)) {
    return { ...unchanged, state: 'sent', isSent: true, event: 'message.sent' }
  }
  if (tried.refusedForGood.includes(recipient)) {
    return { ...unchanged, state: 'bounced', event: 'message.bounced' }
  }
  return isOver ? { ...unchanged, state: 'failed', event: 'message.failed' } : unchanged
}
