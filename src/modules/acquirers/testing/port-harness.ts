import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Acquirer, Inquiry, Instrument, Lookup, OperationKind, Outcome } from '../port/port.ts'
import { START } from './simulator.ts'

export interface PortUnderTest {
  connect(): Promise<Acquirer>
  /** The acquirer's own books, where `outcome` is `approved` for money that moved. */
  books(): Promise<readonly PortBooking[]>
  setFaults(faults: Readonly<Record<string, number>>): Promise<void>
  readonly instruments: {
    readonly approves: Instrument
    readonly declinesSoft: Instrument
    readonly declinesHard: Instrument
    readonly challenges: Instrument
  }
}

export interface PortBooking {
  readonly key: string
  readonly operation: string
  readonly amount: string
  readonly outcome: string
  /** A void without a key of its own is told by what it voids. */
  readonly reference?: string
  readonly original_key?: string
}

export type ChargeKind = 'sale' | 'authorization'

export type Point = 'first request' | 'committed reference'

export const AMOUNT = Money.ofDecimal('USD', '12.30')
export const RETURN_URL = 'https://shop.example/return'
export const FAULTS = ['fail_before', 'fail_after', 'lose_answer'] as const

export interface Tested {
  readonly port: PortUnderTest
  readonly acquirer: () => Acquirer
}

/** Our row of an operation, as `payments` keeps it: the reference is stored only while the lease is ours. */
export interface Row {
  readonly key: string
  reference: string | null
  onCommit: (reference: string) => Promise<boolean>
}

export function newRow(): Row {
  const row: Row = {
    key: newId('txn'),
    reference: null,
    onCommit: async (reference) => {
      row.reference = reference
      return true
    },
  }
  return row
}

export async function charge(
  { acquirer }: Tested,
  kind: ChargeKind,
  row: Row,
  instrument: Instrument,
  payerPresent = true,
): Promise<Outcome> {
  const request = {
    key: row.key,
    at: START,
    amount: AMOUNT,
    instrument,
    payerPresent,
    ...(payerPresent && { returnUrl: RETURN_URL }),
    orderNumber: 'ORD-1',
    commitReference: (reference: string) => row.onCommit(reference),
  }
  return kind === 'sale' ? acquirer().sale(request) : acquirer().authorize(request)
}

export function lookupOf(row: Row, kind: OperationKind, original: string | null = null): Lookup {
  return {
    kind,
    key: row.key,
    at: START,
    reference: row.reference,
    sentAt: realClock.now(),
    amount: AMOUNT,
    originalReference: original,
    returned: {},
  }
}

export async function movedUnder({ port }: Tested, key: string): Promise<string[]> {
  const lines = await port.books()
  return lines.filter((line) => line.key === key && line.outcome === 'approved').map(({ amount }) => amount)
}

export function movedIn(books: readonly PortBooking[]): number {
  return books.filter(({ outcome }) => outcome === 'approved').length
}

/** Sets the fault at its point. Acquirers that work by our key never commit a reference: there both points are one. */
export async function strikeAt(
  { port }: Tested,
  row: Row,
  point: Point,
  faults: Record<string, number>,
): Promise<void> {
  if (point === 'first request') return port.setFaults(faults)
  const commit = row.onCommit
  row.onCommit = async (reference) => {
    const isOurs = await commit(reference)
    await port.setFaults(faults)
    return isOurs
  }
}

export async function resolve({ acquirer }: Tested, lookup: Lookup): Promise<Inquiry> {
  const found = await acquirer().inquire(lookup)
  const isOpen =
    found.kind === 'absent' ? !found.closed : found.kind === 'unknown' || found.kind === 'pending'
  return isOpen ? acquirer().closeKey(lookup) : found
}

export function referenceOf(outcome: Outcome | Inquiry): string | null {
  return 'gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : null
}

export function isFinallyUnpaid(inquiry: Inquiry): boolean {
  return inquiry.kind === 'declined' || (inquiry.kind === 'absent' && inquiry.closed)
}
