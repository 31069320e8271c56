import { type InvoiceLife, TAX_PERCENT } from '../plan/draw-invoices.ts'

/** - `lineMinor`: What it credited of lines that charge something. Other lines lower the invoice already. */
export interface IssuedNote {
  readonly id: string
  readonly totalMinor: bigint
  readonly lineMinor: bigint
  readonly at: Temporal.Instant
}

/** A one-off invoice in the merchant's own books. */
export interface InvoiceModel {
  readonly life: InvoiceLife
  readonly id: string
  readonly orderNumber: string
  readonly notes: IssuedNote[]
  isVoided: boolean
}

/** The tax that comes on top of an amount, rounded half away from zero. */
export function taxOn(netMinor: bigint): bigint {
  const size = netMinor < 0n ? -netMinor : netMinor
  const tax = (size * BigInt(TAX_PERCENT) + 50n) / 100n
  return netMinor < 0n ? -tax : tax
}

/** The tax that an amount contains. */
export function taxIn(grossMinor: bigint): bigint {
  const whole = 100n + BigInt(TAX_PERCENT)
  return (2n * grossMinor * BigInt(TAX_PERCENT) + whole) / (2n * whole)
}

export function expectedTotals({ linesMinor, isTaxed }: InvoiceLife): { net: bigint; tax: bigint } {
  const net = linesMinor.reduce((sum, minor) => sum + BigInt(minor), 0n)
  return { net, tax: isTaxed ? taxOn(net) : 0n }
}
