import { isOneLine, NOT_ONE_LINE } from '#kernel/one-line'

export interface NumberParts {
  readonly year: number
  readonly month: number
  readonly seq: number
}

export const DEFAULT_INVOICE_FORMAT = 'INV-{YYYY}-{SEQ:6}'
export const DEFAULT_CREDIT_NOTE_FORMAT = 'CN-{YYYY}-{SEQ:6}'

export function isDefaultFormat(format: string): boolean {
  return format === DEFAULT_INVOICE_FORMAT || format === DEFAULT_CREDIT_NOTE_FORMAT
}

const TOKEN = /\{(YYYY|YY|MM|SEQ:([1-9]|1[0-9]))\}/g

export function formatProblem(format: string): string | undefined {
  if (!isOneLine(format)) return NOT_ONE_LINE
  const sequences = [...format.matchAll(TOKEN)].filter(([, , width]) => width !== undefined)
  if (/[{}]/.test(format.replaceAll(TOKEN, ''))) {
    return 'may hold {YYYY}, {YY}, {MM} and {SEQ:n} in braces, and nothing else'
  }
  return sequences.length === 1 ? undefined : 'must hold {SEQ:n} exactly once, such as {SEQ:6}'
}

/** Equal for formats that may give equal numbers. */
export function formatShape(format: string): string {
  return format.replaceAll(TOKEN, (token, _, width: string | undefined) =>
    width === undefined ? token : '{SEQ}',
  )
}

export function formatNumber(format: string, { year, month, seq }: NumberParts): string {
  return format.replaceAll(TOKEN, (_, token: string, width: string | undefined) => {
    if (width !== undefined) return String(seq).padStart(Number(width), '0')
    if (token === 'MM') return String(month).padStart(2, '0')
    const digits = String(year).padStart(4, '0')
    return token === 'YY' ? digits.slice(-2) : digits
  })
}

export function numbersByYear(format: string): boolean {
  return /\{YY(YY)?\}/.test(format)
}
