import Type from 'typebox'
import { parseDate, parseInstant } from '#kernel/time-text'

export function TimeOrDate(options: { readonly description: string; readonly example?: string }) {
  const expected = 'a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31'
  return Type.Refine(
    Type.String({
      maxLength: 64,
      description: `${options.description}: ${expected}.`,
      examples: [options.example ?? '2031-01-31T09:30:00Z'],
    }),
    (value: unknown) =>
      typeof value === 'string' && (parseDate(value) !== undefined || parseInstant(value) !== undefined),
    () => `must be ${expected}`,
  )
}
