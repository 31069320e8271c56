import type { Instant } from '#kernel/clock'
import { type MessageKind, OPTIONAL_KINDS } from './kinds.ts'

/** From the weakest to the strongest: of two for one address the stronger one stays. */
export const SUPPRESSION_KINDS = ['unsubscribe', 'complaint', 'hard'] as const
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number]

export interface Suppression {
  readonly address: string
  readonly kind: SuppressionKind
  readonly createdAt: Instant
}

/** Whether an address gets no messages of this kind: after a hard bounce none, otherwise none of the optional kinds. */
export function isSuppressed(suppression: SuppressionKind | undefined, kind: MessageKind): boolean {
  return suppression === 'hard' || (suppression !== undefined && OPTIONAL_KINDS.has(kind))
}
