import { type Instant, isBefore, rfc3339OrNull } from '#kernel/clock'
import type { Money } from '#kernel/money'

export interface NextEntry {
  readonly at: Instant | null
  readonly kind: string
  readonly text: string
  readonly reason: string
  readonly objectId?: string
  readonly transactionUuid?: string
  readonly attempt?: number
  readonly attemptsTotal?: number
  readonly amount?: Money
}

export function inOrder(entries: readonly NextEntry[]): object[] {
  return entries
    .toSorted((a, b) => (a.at === null || b.at === null ? rank(a) - rank(b) : compare(a.at, b.at)))
    .map((entry) => ({
      at: rfc3339OrNull(entry.at),
      kind: entry.kind,
      text: entry.text,
      reason: entry.reason,
      object_id: entry.objectId ?? null,
      transaction_uuid: entry.transactionUuid ?? null,
      attempt: entry.attempt ?? null,
      attempts_total: entry.attemptsTotal ?? null,
      amount: entry.amount ?? null,
      currency: entry.amount?.currency ?? null,
    }))
}

function rank({ at }: NextEntry): number {
  return at === null ? 0 : 1
}

function compare(a: Instant, b: Instant): number {
  return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0
}
