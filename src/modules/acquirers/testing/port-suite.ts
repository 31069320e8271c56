import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type {
  Acquirer,
  FollowUpRequest,
  Inquiry,
  Instrument,
  Lookup,
  OperationKind,
  Outcome,
} from '../port/port.ts'
import { START } from './simulator.ts'

export interface PortUnderTest {
  connect(): Promise<Acquirer>
  /** The acquirer's own books. `outcome` is `approved` for money that moved. */
  books(): Promise<readonly PortBooking[]>
  /** Faults by their chances: `fail_before`, `fail_after`, `lose_answer`. Replaces those before. */
  setFaults(faults: Readonly<Record<string, number>>): Promise<void>
  readonly instruments: {
    readonly approves: Instrument
    readonly declinesSoft: Instrument
    readonly declinesHard: Instrument
    /** Asks for 3-D Secure. */
    readonly challenges: Instrument
  }
}

interface PortBooking {
  readonly key: string
  readonly operation: string
  readonly amount: string
  readonly outcome: string
}

type ChargeKind = 'sale' | 'authorization'
type FollowUpKind = 'capture' | 'refund' | 'void'

/** When the fault or the crash happens: before the first request, or once the acquirer's id is committed. */
type Point = 'first request' | 'committed reference'

const AMOUNT = Money.ofDecimal('USD', '12.30')
const RETURN_URL = 'https://shop.example/return'
const FAULTS = ['fail_before', 'fail_after', 'lose_answer'] as const
const POINTS: readonly Point[] = ['first request', 'committed reference']
const CHARGES: readonly ChargeKind[] = ['sale', 'authorization']
const FOLLOW_UPS: readonly FollowUpKind[] = ['capture', 'refund', 'void']

/**
 * What every acquirer behind the port must hold, whatever it is: each operation with each outcome and each crash point
 * moves its amount at most once, and an inquiry or a closed key says truly what the acquirer's books say.
 */
export function describePort(name: string, port: PortUnderTest): void {
  describe(`the port on ${name}`, () => {
    let acquirer: Acquirer
    beforeAll(async () => {
      acquirer = await port.connect()
    })
    afterEach(() => port.setFaults({}))

    const tested: Tested = { port, acquirer: () => acquirer }
    describe('charges', () => {
      describeCharges(tested)
    })
    describe('crashes of charges', () => {
      describeCrashes(tested)
    })
    describe('captures, refunds and voids', () => {
      describeFollowUps(tested)
    })
    test('a verification moves no money', async () => {
      const before = await port.books()
      const key = newId('ver')
      const payer = { customerUuid: newId('cus'), reference: null, name: 'Ann Lee', email: 'ann@example.org' }
      const outcome = await acquirer.verify({
        key,
        at: START,
        instrument: port.instruments.approves,
        payer,
        returnUrl: RETURN_URL,
        commitReference: async () => true,
      })
      expect(outcome.kind).toBe('approved')
      expect(movedIn(await port.books())).toBe(movedIn(before))
    })
  })
}

interface Tested {
  readonly port: PortUnderTest
  readonly acquirer: () => Acquirer
}

/** Our row of an operation, as `payments` keeps it: the reference is stored only while the lease is ours. */
interface Row {
  readonly key: string
  reference: string | null
  onCommit: (reference: string) => Promise<boolean>
}

function newRow(): Row {
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

async function charge(
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

function lookupOf(row: Row, kind: OperationKind, original: string | null = null): Lookup {
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

/** The amounts that the acquirer's books say were moved under the key. */
async function movedUnder({ port }: Tested, key: string): Promise<string[]> {
  const lines = await port.books()
  return lines.filter((line) => line.key === key && line.outcome === 'approved').map(({ amount }) => amount)
}

function movedIn(books: readonly PortBooking[]): number {
  return books.filter(({ outcome }) => outcome === 'approved').length
}

/** Sets the fault at its point. Acquirers that work by our key never commit a reference: there both points are one. */
async function strikeAt(
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

/** What the resolver does with an operation of unknown outcome: ask, and where nothing is booked, close the key. */
async function resolve({ acquirer }: Tested, lookup: Lookup): Promise<Inquiry> {
  const found = await acquirer().inquire(lookup)
  const isOpen =
    found.kind === 'absent' ? !found.closed : found.kind === 'unknown' || found.kind === 'pending'
  return isOpen ? acquirer().closeKey(lookup) : found
}

function describeCharges(tested: Tested): void {
  const { instruments } = tested.port

  test.each(CHARGES)('an approved %s is booked once, and an inquiry finds it', async (kind) => {
    const row = newRow()
    const outcome = await charge(tested, kind, row, instruments.approves)
    expect(outcome.kind).toBe('approved')
    const found = await tested.acquirer().inquire(lookupOf(row, kind))
    expect([found.kind, referenceOf(found)]).toEqual(['approved', referenceOf(outcome)])
    expect((await tested.acquirer().closeKey(lookupOf(row, kind))).kind).toBe('approved')
    expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
  })

  test.each(CHARGES.flatMap((kind) => [[kind, 'soft'] as const, [kind, 'hard'] as const]))(
    'a %s that is declined (%s) moves nothing, then or later',
    async (kind, hardness) => {
      const row = newRow()
      const isHard = hardness === 'hard'
      const outcome = await charge(
        tested,
        kind,
        row,
        isHard ? instruments.declinesHard : instruments.declinesSoft,
      )
      expect(outcome).toMatchObject({ kind: 'declined', hard: isHard })
      const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
      expect(isFinallyUnpaid(closed)).toBe(true)
      expect(await movedUnder(tested, row.key)).toEqual([])
    },
  )

  test.each(CHARGES)('a %s that needs the payer waits for them, and can be closed instead', async (kind) => {
    const row = newRow()
    const outcome = await charge(tested, kind, row, instruments.challenges)
    const url = outcome.kind === 'pending' ? outcome.nextAction?.url : undefined
    expect(URL.canParse(url ?? '')).toBe(true)
    expect((await tested.acquirer().inquire(lookupOf(row, kind))).kind).toBe('pending')
    const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect(isFinallyUnpaid(closed)).toBe(true)
    expect(await movedUnder(tested, row.key)).toEqual([])
  })

  test.each(CHARGES)('a %s without the payer is not approved by a card that needs them', async (kind) => {
    const row = newRow()
    const outcome = await charge(tested, kind, row, instruments.challenges, false)
    expect(['declined', 'pending']).toContain(outcome.kind)
    expect(await movedUnder(tested, row.key)).toEqual([])
  })
}

function describeCrashes(tested: Tested): void {
  const { approves } = tested.port.instruments

  test.each(CHARGES)('a %s that was never sent is absent for good once its key is closed', async (kind) => {
    const row = newRow()
    const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect(closed).toEqual({ kind: 'absent', closed: true })
    // The process that should have sent it wakes up: its row is not its own any more.
    row.onCommit = async () => false
    const late = await charge(tested, kind, row, approves)
    expect(late.kind).not.toBe('approved')
    expect(await movedUnder(tested, row.key)).toEqual([])
  })

  test.each(CHARGES)('a %s stops where its reference could not be committed', async (kind) => {
    const row = newRow()
    let wasAsked = false
    row.onCommit = async () => {
      wasAsked = true
      return false
    }
    const outcome = await charge(tested, kind, row, approves)
    const moved = await movedUnder(tested, row.key)
    // An acquirer that works by our key does not ask, and finds the charge by it.
    expect([outcome.kind, moved]).toEqual(wasAsked ? ['unknown', []] : ['approved', ['12.30']])
    const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect(closed.kind).toBe(wasAsked ? 'absent' : 'approved')
    expect(await movedUnder(tested, row.key)).toEqual(moved)
  })

  test.each(CHARGES)('a %s whose process dies while it commits the reference moves nothing', async (kind) => {
    const row = newRow()
    let died = false
    row.onCommit = async () => {
      died = true
      throw new Error('killed')
    }
    const outcome = await charge(tested, kind, row, approves)
    expect(outcome.kind).toBe(died ? 'unknown' : 'approved')
    const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect([closed.kind, await movedUnder(tested, row.key)]).toEqual(
      died ? ['absent', []] : ['approved', ['12.30']],
    )
  })

  test.each(
    CHARGES.flatMap((kind) =>
      POINTS.flatMap((point) => FAULTS.map((fault) => [kind, fault, point] as const)),
    ),
  )('after a %s with %s at the %s, what is found is what was booked', async (kind, fault, point) => {
    const row = newRow()
    await strikeAt(tested, row, point, { [fault]: 1 })
    const outcome = await charge(tested, kind, row, approves)
    await tested.port.setFaults({})
    const final = outcome.kind === 'unknown' ? await resolve(tested, lookupOf(row, kind)) : outcome
    const moved = await movedUnder(tested, row.key)
    expect(['approved', 'declined', 'absent', 'refused']).toContain(final.kind)
    expect(moved).toEqual(final.kind === 'approved' ? ['12.30'] : [])
    const again = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect(again.kind === 'approved').toBe(final.kind === 'approved')
    expect(await movedUnder(tested, row.key)).toEqual(moved)
  })

  test.each(CHARGES)(
    'while the acquirer is away, a %s stays unknown and is never called absent',
    async (kind) => {
      const row = newRow()
      await strikeAt(tested, row, 'committed reference', { lose_answer: 1 })
      const outcome = await charge(tested, kind, row, approves)
      const found = await tested.acquirer().inquire(lookupOf(row, kind))
      expect(['approved', 'unknown', 'pending']).toContain(found.kind)
      expect(['approved', 'unknown', 'pending']).toContain(outcome.kind)
      expect((await movedUnder(tested, row.key)).length).toBeLessThanOrEqual(1)
    },
  )
}

interface Original {
  readonly key: string
  readonly reference: string
}

async function originalFor(tested: Tested, kind: FollowUpKind): Promise<Original> {
  const row = newRow()
  const charged = await charge(
    tested,
    kind === 'refund' ? 'sale' : 'authorization',
    row,
    tested.port.instruments.approves,
  )
  const reference = referenceOf(charged)
  if (charged.kind !== 'approved' || reference === null) throw new Error(`the original is ${charged.kind}`)
  return { key: row.key, reference }
}

function followUp(
  tested: Tested,
  kind: FollowUpKind,
  row: Row,
  original: Original,
  amount = AMOUNT,
): Promise<Outcome> {
  const request: FollowUpRequest = {
    key: row.key,
    at: START,
    amount,
    originalKey: original.key,
    originalReference: original.reference,
    commitReference: (reference) => row.onCommit(reference),
  }
  return tested.acquirer()[kind](request)
}

function describeFollowUps(tested: Tested): void {
  test.each(FOLLOW_UPS)('an approved %s is booked once, and an inquiry finds it', async (kind) => {
    const original = await originalFor(tested, kind)
    const row = newRow()
    expect((await followUp(tested, kind, row, original)).kind).toBe('approved')
    const found = await tested.acquirer().inquire(lookupOf(row, kind, original.reference))
    expect(found.kind).toBe('approved')
    expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
  })

  test.each(['capture', 'refund'] as const)('a %s of more than there is moves nothing', async (kind) => {
    const original = await originalFor(tested, kind)
    const row = newRow()
    const outcome = await followUp(tested, kind, row, original, Money.ofDecimal('USD', '12.31'))
    expect(['declined', 'refused']).toContain(outcome.kind)
    expect(await movedUnder(tested, row.key)).toEqual([])
  })

  test.each(FOLLOW_UPS.flatMap((kind) => FAULTS.map((fault) => [kind, fault] as const)))(
    'after a %s with %s, what is found is what was booked, and sending it again moves it no second time',
    async (kind, fault) => {
      const original = await originalFor(tested, kind)
      const row = newRow()
      await tested.port.setFaults({ [fault]: 1 })
      const outcome = await followUp(tested, kind, row, original)
      await tested.port.setFaults({})
      expect(['unknown', 'approved']).toContain(outcome.kind)
      const lookup = lookupOf(row, kind, original.reference)
      const found = await tested.acquirer().inquire(lookup)
      const moved = await movedUnder(tested, row.key)
      if (found.kind === 'approved') expect(moved).toEqual(['12.30'])
      if (found.kind === 'absent' && found.closed) expect(moved).toEqual([])

      const isOpen = found.kind === 'absent' || found.kind === 'unknown'
      if (!isOpen || tested.acquirer().capabilities.closes.has(kind)) return
      await followUp(tested, kind, row, original)
      expect((await movedUnder(tested, row.key)).length).toBeLessThanOrEqual(1)
    },
  )
}

function referenceOf(outcome: Outcome | Inquiry): string | null {
  return 'gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : null
}

function isFinallyUnpaid(inquiry: Inquiry): boolean {
  return inquiry.kind === 'declined' || (inquiry.kind === 'absent' && inquiry.closed)
}
