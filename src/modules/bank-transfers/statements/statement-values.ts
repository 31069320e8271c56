/** Some 30,000 entries of camt.053 or 200,000 of CSV. */
export const MAX_STATEMENT_LENGTH = 30_000_000

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

export function ibanOf(text: string | null): string | null {
  const iban = text?.replace(/\s/g, '').toUpperCase() ?? ''
  return iban === '' ? null : iban
}
