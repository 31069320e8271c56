import { type InvoiceLife, TAX_PERCENT } from '../plan/draw-invoices.ts'

export interface IssuedNote {
  readonly id: string
  readonly totalMinor: bigint
  /** What was added to the plan's credit, at most. */
  readonly refund: 'payment' | 'credit' | 'none'
}

/** A one-off invoice in the merchant's own books. */
export interface InvoiceModel {
  readonly life: InvoiceLife
  readonly id: string
  readonly orderNumber: string
  readonly notes: IssuedNote[]
  isVoided: boolean
}

export function expectedTotals({ linesMinor, isTaxed }: InvoiceLife): { net: bigint; tax: bigint } {
  const net = linesMinor.reduce((sum, minor) => sum + BigInt(minor), 0n)
  return { net, tax: isTaxed ? (net * BigInt(TAX_PERCENT) + 50n) / 100n : 0n }
}
