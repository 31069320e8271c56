import type { Instant } from '#kernel/clock'
import type { Page, Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import { membersOf, safeMessage, textOf } from '../wire/members.ts'
import type { StripeResponse } from '../wire/stripe-client.ts'

export function failedReply(response: Exclude<StripeResponse, { kind: 'ok' }>): Reply<never> {
  if (response.kind === 'unknown') return { kind: 'unavailable', message: response.message }
  if (response.status === 404) return { kind: 'absent' }
  const message = safeMessage(response.error.message) ?? `Stripe responded with HTTP ${response.status}.`
  return { kind: 'refused', message }
}

export function readPage<Item>(
  list: Members,
  readItem: (object: Members) => Item | 'skip' | null,
): Reply<Page<Item>> {
  const data = Array.isArray(list.data) ? list.data.map(membersOf) : null
  if (data === null) return { kind: 'unavailable', message: "Stripe's list cannot be parsed." }
  const items: Item[] = []
  for (const object of data) {
    const item = readItem(object)
    if (item === null) {
      return { kind: 'unavailable', message: `Stripe's ${textOf(object.id) ?? 'object'} cannot be parsed.` }
    }
    if (item !== 'skip') items.push(item)
  }
  const last = textOf(data.at(-1)?.id)
  return { kind: 'ok', value: { items, nextCursor: list.has_more === true ? last : null } }
}

export function instantOfSeconds(value: unknown): Instant | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return null
  return Temporal.Instant.fromEpochMilliseconds(value * 1000)
}
