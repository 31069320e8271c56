import type { Instant } from '#kernel/clock'
import { maskCardNumbers } from '#platform/security/redaction'
import { isMembers, type Members } from '../../port/members.ts'

const NO_MEMBERS: Members = {}
const MAX_MESSAGE = 500
const SECRETS = /\beyJ[\w-]+\.[\w.-]+|\bwhsec_\S+/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : NO_MEMBERS
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Airwallex writes times as `2026-11-29T05:33:28+0000`. */
export function instantOf(value: unknown): Instant | null {
  if (typeof value !== 'string' || !TIME.test(value)) return null
  try {
    return Temporal.Instant.from(value)
  } catch {
    return null
  }
}

export function timeText(instant: Instant): string {
  return `${instant.toString({ smallestUnit: 'second' }).slice(0, 19)}+0000`
}

export function safeMessage(value: unknown): string | null {
  const text = textOf(value)
  return text === null ? null : maskCardNumbers(text.replace(SECRETS, '[redacted]')).slice(0, MAX_MESSAGE)
}
