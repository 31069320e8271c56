// better-auth's times are Dates. None is read from the clock here.
/* oxlint-disable no-restricted-globals */

export function toDate(epochMs: number): Date {
  return new Date(epochMs)
}

export function isDate(value: unknown): value is Date {
  return value instanceof Date
}
