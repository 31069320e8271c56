/** Formats without a year count on for ever: their sequence is that of year 0. */
export function sequenceYear(format: string, { year }: Temporal.PlainDate): number {
  return /\{YY(?:YY)?\}/.test(format) ? year : 0
}

/** `{SEQ:6}` has at least six digits (reference/billing-invoices#numbers). */
export function documentNumber(format: string, sequence: bigint, date: Temporal.PlainDate): string {
  const year = String(date.year).padStart(4, '0')
  return format.replaceAll(/\{(YYYY|YY|MM|SEQ:(\d+))\}/g, (_, name: string, digits?: string) => {
    if (name === 'YYYY') return year
    if (name === 'YY') return year.slice(-2)
    if (name === 'MM') return String(date.month).padStart(2, '0')
    return String(sequence).padStart(Number(digits), '0')
  })
}
