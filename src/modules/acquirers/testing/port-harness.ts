import { beforeEach, expect } from 'vitest'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Notice } from '../port/notices.ts'
import type { Acquirer, Inquiry, Instrument, Lookup, Outcome } from '../port/port.ts'
import { START } from './simulator.ts'

/**
 * - `books`: The acquirer's own books, where `outcome` is `approved` for money that moved.
 * - `answerChallenge`: Answers as the payer at the URL of a `nextAction`. Returns what the acquirer adds to our URL on
 *   the way back.
 * - `keys`: Undefined for an acquirer that keeps keys forever. Otherwise a lost refund is sent again under its key only
 *   for `trustedHours`, an hour less than the acquirer keeps the key.
 * - `deliverNotices`: Set for an acquirer that replies only "received" and reports results in notices. Delivers all
 *   notices so far; none arrive before the call.
 * - `holdsBeforeCommit`: The bank holds the amount before the reference is committed; a sale is paid only by the
 *   capture after it.
 * - `lacks`: What cannot be done in this run, with the reason; the tests that need it are skipped.
 */
export interface PortUnderTest {
  connect(): Promise<Acquirer>
  books(): Promise<readonly PortBooking[]>
  setFaults(faults: Readonly<Record<string, number>>): Promise<void>
  readonly instruments: {
    readonly approves: Instrument
    readonly declinesSoft: Instrument
    readonly declinesHard: Instrument
    readonly challenges: Instrument
    readonly needsPayer: Instrument
  }
  answerChallenge(url: string, answer: 'approve' | 'decline'): Promise<Lookup['returned']>
  readonly keys?: { readonly trustedHours: number; forget(): Promise<void> }
  readonly deliverNotices?: () => Promise<readonly Notice[]>
  readonly holdsBeforeCommit?: boolean
  readonly lacks?: Partial<Record<Ability, string>>
}

export type Ability = 'payer' | 'notices' | 'forgotten keys'

export interface PortBooking {
  readonly key: string
  readonly operation: string
  readonly amount: string
  readonly outcome: string
  readonly reference?: string
  readonly original_key?: string
}

export function needs({ lacks }: PortUnderTest, ability: Ability): void {
  const reason = lacks?.[ability]
  if (reason !== undefined) beforeEach(({ skip }) => skip(reason))
}

export type ChargeKind = 'sale' | 'authorization'

export const CHARGES: readonly ChargeKind[] = ['sale', 'authorization']

export type Point = 'first request' | 'committed reference'

export const AMOUNT = Money.ofDecimal('USD', '12.30')
export const RETURN_URL = 'https://shop.example/return'
export const FAULTS = ['fail_before', 'fail_after', 'lose_answer'] as const

export interface Tested {
  readonly port: PortUnderTest
  readonly acquirer: () => Acquirer
}

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

export function lookupOf(row: Row, kind: Lookup['kind'], original: string | null = null): Lookup {
  return {
    kind,
    key: row.key,
    at: START,
    reference: row.reference,
    sentAt: realClock.now(),
    amount: AMOUNT,
    originalReference: original,
    returned: {},
    commitReference: async (reference) => {
      row.reference = reference
      return true
    },
  }
}

export async function movedUnder({ port }: Tested, key: string): Promise<string[]> {
  const lines = await port.books()
  return lines.filter((line) => line.key === key && line.outcome === 'approved').map(({ amount }) => amount)
}

export function movedIn(books: readonly PortBooking[]): number {
  return books.filter(({ outcome }) => outcome === 'approved').length
}

/**
 * Expects that nothing was paid. Only an acquirer that authorizes before it commits its reference may still hold the
 * amount, until its key is closed and its notice is handled.
 */
export async function expectUnpaid({ port }: Tested, { key }: Row): Promise<void> {
  const lines = (await port.books()).filter((line) => line.key === key && line.outcome === 'approved')
  const paid = port.holdsBeforeCommit ? lines.filter(({ operation }) => operation !== 'authorization') : lines
  expect(paid).toEqual([])
}

export async function releaseLateHold({ port, acquirer }: Tested, row: Row, kind: ChargeKind): Promise<void> {
  const { key } = row
  if (port.lacks?.notices !== undefined) {
    expect(await acquirer().closeKey(lookupOf(row, kind))).toEqual({ kind: 'absent', closed: true })
    return
  }
  const notices = (await port.deliverNotices?.()) ?? []
  const held = notices.find(({ subject }) => subject.kind === 'hold' && subject.key === key)
  if (held === undefined) return
  const request = { at: START, amount: AMOUNT, originalKey: key, commitReference: async () => true }
  await acquirer().void({ ...request, key: newId('txn'), originalReference: held.subject.reference })
}

/**
 * Sets the fault at its point. Acquirers that work by our key never commit a reference, so for them both points are the
 * same.
 */
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

export async function determine(
  { acquirer }: Tested,
  lookup: Lookup,
  sendAgain: () => Promise<Outcome>,
): Promise<Inquiry | Outcome> {
  const found = await acquirer().inquire(lookup)
  if (found.kind !== 'absent' || found.closed) return found
  return acquirer().capabilities.closes.has(lookup.kind) ? acquirer().closeKey(lookup) : sendAgain()
}

export function challengeOf(outcome: Outcome): string {
  if (outcome.kind !== 'pending' || outcome.nextAction === undefined) throw new Error(`it is ${outcome.kind}`)
  return outcome.nextAction.url
}

export function referenceOf(outcome: Outcome | Inquiry): string | null {
  return 'gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : null
}

export function isFinallyUnpaid(inquiry: Inquiry): boolean {
  return inquiry.kind === 'declined' || (inquiry.kind === 'absent' && inquiry.closed)
}
