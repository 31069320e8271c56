import { maskCardNumbers } from '#platform/security/redaction'
import { isMembers, type Members } from '../../port/members.ts'

const NO_MEMBERS: Members = {}
const MAX_MESSAGE = 500
const SECRETS = /\b(?:[spr]k_(?:test|live)_|whsec_)\S+|\b\w+_secret_\w+/g

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : NO_MEMBERS
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function idOf(value: unknown): string | null {
  return textOf(value) ?? textOf(membersOf(value).id)
}

export function wholeOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null
}

export function safeMessage(value: unknown): string | null {
  const text = textOf(value)
  return text === null ? null : maskCardNumbers(text.replace(SECRETS, '[redacted]')).slice(0, MAX_MESSAGE)
}
