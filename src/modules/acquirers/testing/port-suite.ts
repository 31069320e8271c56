import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Acquirer, Inquiry, Outcome } from '../port/port.ts'
import { describeFollowUps } from './port-follow-ups.ts'
import {
  charge,
  type ChargeKind,
  CHARGES,
  expectUnpaid,
  FAULTS,
  isFinallyUnpaid,
  lookupOf,
  movedUnder,
  newRow,
  type Point,
  type PortUnderTest,
  type Row,
  referenceOf,
  releaseLateHold,
  resolve,
  strikeAt,
  type Tested,
} from './port-harness.ts'
import { describeReturns } from './port-returns.ts'
import { describeVerifications } from './port-verifications.ts'

const POINTS: readonly Point[] = ['first request', 'committed reference']
const LATE_MS = 300
const MAX_LATE_MS = 20_000

/**
 * Tests any acquirer behind the port: each operation, with each outcome and each crash point, moves its amount at most
 * once, and an inquiry or a closed key agrees with the acquirer's books.
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
    describe('payers who come back', () => {
      describeReturns(tested)
    })
    describe('verifications', () => {
      describeVerifications(tested)
    })
  })
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
    const outcome = await charge(tested, kind, row, instruments.needsPayer, false)
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
    row.onCommit = async () => false
    const late = await charge(tested, kind, row, approves)
    expect(late.kind).not.toBe('approved')
    await expectUnpaid(tested, row)
    expect(await tested.acquirer().closeKey(lookupOf(row, kind))).toEqual({ kind: 'absent', closed: true })
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
    // An acquirer that works by our key commits no reference and finds the charge by the key.
    expect(outcome.kind).toBe(wasAsked ? 'unknown' : 'approved')
    if (wasAsked) await expectUnpaid(tested, row)
    const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
    expect(closed.kind).toBe(wasAsked ? 'absent' : 'approved')
    expect(await movedUnder(tested, row.key)).toEqual(wasAsked ? [] : ['12.30'])
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
    if (died) await expectUnpaid(tested, row)
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

  test.each(CHARGES.flatMap((kind) => POINTS.map((point) => [kind, point] as const)))(
    'what is closed while a %s is still on the way from the %s says truly what arrives',
    async (kind, point) => {
      const { commitsReferences } = tested.acquirer().capabilities
      const strikes = commitsReferences ? point : 'first request'
      const isHeld = strikes === 'committed reference' && tested.port.holdsBeforeCommit
      if (!isHeld) {
        const { row, closed, arrived } = await overtake(tested, kind, strikes)
        expect(closed).toEqual({ kind: 'absent', closed: true })
        expect(arrived.kind).not.toBe('approved')
        await expectUnpaid(tested, row)
        await releaseLateHold(tested, row, kind)
        expect(await movedUnder(tested, row.key)).toEqual([])
        return
      }
      // The hold is committed, so the charge is completed instead of closed, whichever request is first.
      const { row, closed } = await closeOnTheWay(tested, kind, strikes, LATE_MS)
      expect(['approved', 'unknown']).toContain(closed.kind)
      expect((await tested.acquirer().closeKey(lookupOf(row, kind))).kind).toBe('approved')
      expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
    },
  )

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

interface LateCharge {
  readonly row: Row
  readonly closed: Inquiry
  readonly arrived: Outcome
}

/**
 * Closes the key of a charge whose request has not yet reached the acquirer. Where the machine or the acquirer is slow, the next
 * charge is twice as late.
 */
async function overtake(tested: Tested, kind: ChargeKind, strikes: Point): Promise<LateCharge> {
  for (let lateMs = LATE_MS; lateMs <= MAX_LATE_MS; lateMs *= 2) {
    const late = await closeOnTheWay(tested, kind, strikes, lateMs)
    if (late.isOvertaken) return late
    const { row } = late
    const final = await tested.acquirer().closeKey(lookupOf(row, kind))
    if (final.kind !== 'approved') await releaseLateHold(tested, row, kind)
    expect(await movedUnder(tested, row.key)).toEqual(final.kind === 'approved' ? ['12.30'] : [])
  }
  throw new Error(`no close overtook a charge that was ${MAX_LATE_MS} ms late`)
}

async function closeOnTheWay(
  tested: Tested,
  kind: ChargeKind,
  strikes: Point,
  lateMs: number,
): Promise<LateCharge & { readonly isOvertaken: boolean }> {
  const row = newRow()
  const commit = row.onCommit
  let isClosed = false
  const isOnTheWay = Promise.withResolvers<void>()
  row.onCommit = async (reference) => !isClosed && commit(reference)
  await strikeAt(tested, row, strikes, { latency_ms: lateMs })
  const struck = row.onCommit
  row.onCommit = async (reference) => {
    const isOurs = await struck(reference)
    isOnTheWay.resolve()
    return isOurs
  }
  const late = charge(tested, kind, row, tested.port.instruments.approves)
  if (strikes === 'committed reference') await isOnTheWay.promise
  const sentAt = performance.now()
  const arrival = late.then((arrived) => ({ arrived, tookMs: performance.now() - sentAt }))
  await sleep(lateMs / 2)
  await tested.port.setFaults({})
  const closed = await tested.acquirer().closeKey(lookupOf(row, kind))
  const closedAfterMs = performance.now() - sentAt
  isClosed = isFinallyUnpaid(closed)
  const { arrived, tookMs } = await arrival
  return { row, closed, arrived, isOvertaken: closedAfterMs < lateMs && lateMs <= tookMs }
}
