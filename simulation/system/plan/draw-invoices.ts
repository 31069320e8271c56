import type { Random } from '../../random.ts'

/** One series starts again each year, the other continues from a number of its own. */
export const SERIES = [
  { key: 'yearly', invoice_format: 'Y{YYYY}-{SEQ:6}', credit_note_format: 'YC{YYYY}-{SEQ:6}' },
  { key: 'ongoing', invoice_format: 'O-{SEQ:3}', credit_note_format: 'OC-{SEQ:3}', first_number: 100 },
] as const

export type SeriesKey = (typeof SERIES)[number]['key']

export const TAX_PERCENT = 5

/** - `of`: An amount that is distributed over the lines, each line by itself, or all that is left. */
export interface NoteStep {
  readonly do: 'note'
  readonly of: 'amount' | 'lines' | 'rest'
  readonly percent: number
  readonly refund: 'payment' | 'credit' | 'none'
}

export type InvoiceStep =
  | NoteStep
  | { readonly do: 'refund'; readonly percent: number }
  | { readonly do: 'void' }

/** A one-off invoice. */
export interface InvoiceLife {
  readonly name: string
  readonly atMs: number
  readonly card: 'approves' | 'declines'
  readonly series: SeriesKey
  readonly isTaxed: boolean
  readonly isSent: boolean
  readonly linesMinor: readonly number[]
  /** The same invoice is requested once more, and is refused after a number was taken. */
  readonly isRepeated: boolean
  /** Notes or refunds, and not both: what a refund credits depends on the notes before it. */
  readonly steps: readonly InvoiceStep[]
}

/** A twentieth of the smallest is above what acquirers refuse. */
const MIN_LINE_MINOR = 10_001
const MAX_LINE_MINOR = 900_000

export function drawInvoices(
  random: Random,
  prefix: string,
  { orders, roundMs }: { readonly orders: number; readonly roundMs: number },
): InvoiceLife[] {
  return Array.from({ length: Math.ceil(orders / 5) }, (_, index) => ({
    name: `${prefix}i${index}`,
    atMs: random.whole(0, roundMs),
    card: random.chance(0.8) ? 'approves' : 'declines',
    series: random.pick<(typeof SERIES)[number]>(SERIES).key,
    isTaxed: random.chance(0.7),
    isSent: random.chance(0.3),
    linesMinor: Array.from({ length: random.whole(1, 4) }, () =>
      random.whole(MIN_LINE_MINOR, MAX_LINE_MINOR),
    ),
    isRepeated: random.chance(1 / 3),
    steps: drawSteps(random),
  }))
}

function drawSteps(random: Random): InvoiceStep[] {
  const note = (): NoteStep => drawNote(random, ['payment', 'none'])
  const refund = (): InvoiceStep => ({ do: 'refund', percent: random.whole(10, 60) })
  return random.pick<() => InvoiceStep[]>([
    () => [],
    () => [note(), note()],
    () => [note(), note(), { ...note(), of: 'rest' }],
    () => [refund(), refund()],
    () => [{ do: 'void' }],
    () => [note(), { do: 'void' }],
  ])()
}

export function drawNote(
  random: Random,
  refunds: readonly [NoteStep['refund'], ...NoteStep['refund'][]],
): NoteStep {
  return {
    do: 'note',
    of: random.pick(['amount', 'amount', 'lines', 'rest'] as const),
    percent: random.whole(10, 60),
    refund: random.pick(refunds),
  }
}
