import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { FollowUpRequest, Inquiry, Lookup, Outcome } from '../port/port.ts'
import {
  AMOUNT,
  charge,
  determine,
  FAULTS,
  isFinallyUnpaid,
  lookupOf,
  movedUnder,
  needs,
  newRow,
  referenceOf,
  type Row,
  type Tested,
} from './port-harness.ts'
import { START } from './simulator.ts'

type FollowUpKind = 'capture' | 'refund' | 'void'

const FOLLOW_UPS: readonly FollowUpKind[] = ['capture', 'refund', 'void']

const PART = Money.ofDecimal('USD', '5.00')

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

async function followUpsMoved(
  tested: Tested,
  kind: FollowUpKind,
  row: Row,
  original: Original,
): Promise<string[]> {
  if (kind !== 'void') return movedUnder(tested, row.key)
  const lines = await tested.port.books()
  return lines
    .filter(({ operation, outcome }) => operation === 'void' && outcome === 'approved')
    .filter((line) => line.reference === original.reference || line.original_key === original.key)
    .map(({ amount }) => amount)
}

export function describeFollowUps(tested: Tested): void {
  const sendsNotices = tested.port.lacks?.notices === undefined

  test.each(FOLLOW_UPS)('an approved %s is booked once, and an inquiry finds it', async (kind) => {
    const original = await originalFor(tested, kind)
    const row = newRow()
    const isLater = kind === 'void' && (tested.port.deliverNotices !== undefined || !sendsNotices)
    expect((await followUp(tested, kind, row, original)).kind).toBe(isLater ? 'pending' : 'approved')
    await tested.port.deliverNotices?.()
    const found = await tested.acquirer().inquire(lookupOf(row, kind, original.reference))
    expect(found.kind).toBe(sendsNotices ? 'approved' : 'absent')
    expect(await followUpsMoved(tested, kind, row, original)).toEqual(['12.30'])
  })

  describe('what a notice reports', () => {
    needs(tested.port, 'notices')

    test('part of an authorization is captured, and never more than its rest', async () => {
      const original = await originalFor(tested, 'capture')
      const [first, second, third] = [newRow(), newRow(), newRow()]
      expect((await followUp(tested, 'capture', first, original, PART)).kind).toBe('approved')
      expect(await movedUnder(tested, first.key)).toEqual(['5.00'])
      const { multipleCaptures } = tested.acquirer().capabilities
      const rest = Money.ofDecimal('USD', '7.30')
      const more = await followUp(tested, 'capture', second, original, rest)
      const said = await resultOf(tested, more, {
        ...lookupOf(second, 'capture', original.reference),
        amount: rest,
      })
      expect(said.kind === 'approved').toBe(multipleCaptures)
      expect(await movedUnder(tested, second.key)).toEqual(multipleCaptures ? ['7.30'] : [])
      await followUp(tested, 'capture', third, original, Money.ofDecimal('USD', '0.01'))
      expect(await movedUnder(tested, third.key)).toEqual([])
    })

    test.each(['capture', 'refund'] as const)('a %s of more than there is moves nothing', async (kind) => {
      const original = await originalFor(tested, kind)
      const row = newRow()
      const outcome = await followUp(tested, kind, row, original, Money.ofDecimal('USD', '12.31'))
      const said = await resultOf(tested, outcome, lookupOf(row, kind, original.reference))
      expect(['declined', 'refused']).toContain(said.kind)
      expect(await followUpsMoved(tested, kind, row, original)).toEqual([])
    })
  })

  test.each(FOLLOW_UPS.flatMap((kind) => FAULTS.map((fault) => [kind, fault] as const)))(
    'a %s with %s is found out or sent again under its key, and is booked once',
    async (kind, fault) => {
      const original = await originalFor(tested, kind)
      const row = newRow()
      // Half of the payment, so that a second refund would be booked.
      const amount = kind === 'refund' ? PART : AMOUNT
      const lookup = { ...lookupOf(row, kind, original.reference), amount }
      const sendAgain = () => followUp(tested, kind, row, original, amount)
      await tested.port.setFaults({ [fault]: 1 })
      const outcome = await sendAgain()
      expect(outcome.kind).toBe('unknown')
      const away = await tested.acquirer().inquire(lookup)
      expect(isFinallyUnpaid(away)).toBe(false)
      await tested.port.setFaults({})
      let found = await determine(tested, lookup, sendAgain)
      if (kind === 'void' && found.kind === 'pending' && tested.port.deliverNotices !== undefined) {
        await tested.port.deliverNotices()
        found = await tested.acquirer().inquire(lookup)
      }
      let moved = await followUpsMoved(tested, kind, row, original)
      const isReceived = found.kind === 'pending' && !sendsNotices
      expect(moved).toEqual(found.kind === 'approved' || isReceived ? [amount.toString()] : [])
      if (found.kind === 'unknown' && tested.port.keys !== undefined) {
        await tested.port.keys.forget()
        found = await determine(tested, lookup, sendAgain)
        moved = await followUpsMoved(tested, kind, row, original)
        expect(moved).toEqual([amount.toString()])
      }
      if (!tested.acquirer().capabilities.closes.has(kind)) {
        expect(found.kind).toBe(isReceived ? 'pending' : 'approved')
      }

      const again = await determine(tested, lookup, sendAgain)
      expect(again.kind === 'approved').toBe(found.kind === 'approved')
      expect(await followUpsMoved(tested, kind, row, original)).toEqual(moved)
      await tested.port.deliverNotices?.()
      const afterNotices = await tested.acquirer().inquire(lookup)
      expect(afterNotices.kind === 'approved').toBe(sendsNotices && found.kind === 'approved')
    },
  )

  describe('forgotten keys', () => {
    needs(tested.port, 'forgotten keys')

    test.each(['fail_before', 'lose_answer'] as const)(
      'a refund with %s is booked at most once after the acquirer has forgotten its key',
      async (fault) => {
        const original = await originalFor(tested, 'refund')
        const row = newRow()
        const sendAgain = () => followUp(tested, 'refund', row, original, PART)
        await tested.port.setFaults({ [fault]: 1 })
        expect((await sendAgain()).kind).toBe('unknown')
        await tested.port.setFaults({})
        const { keys } = tested.port
        await keys?.forget()
        const recent = { ...lookupOf(row, 'refund', original.reference), amount: PART }
        const late = keys
          ? { ...recent, sentAt: realClock.now().subtract({ hours: keys.trustedHours }) }
          : recent
        const wasBooked = await followUpsMoved(tested, 'refund', row, original)
        const found = await determine(tested, late, sendAgain)
        const moved = await followUpsMoved(tested, 'refund', row, original)
        if (keys) expect(moved).toEqual(wasBooked)
        if (found.kind === 'approved') expect(moved).toEqual(['5.00'])
        else if (wasBooked.length > 0) expect(found.kind).toBe('unknown')
        expect(moved.length).toBeLessThanOrEqual(1)
      },
    )
  })

  test.each(FAULTS)('part of an authorization is captured once after %s', async (fault) => {
    const original = await originalFor(tested, 'capture')
    const row = newRow()
    await tested.port.setFaults({ [fault]: 1 })
    expect((await followUp(tested, 'capture', row, original, PART)).kind).toBe('unknown')
    await tested.port.setFaults({})
    const lookup = { ...lookupOf(row, 'capture', original.reference), amount: PART }
    const sendAgain = () => followUp(tested, 'capture', row, original, PART)
    for (const _again of [1, 2]) {
      const found = await determine(tested, lookup, sendAgain)
      expect(await movedUnder(tested, row.key)).toEqual(found.kind === 'approved' ? ['5.00'] : [])
    }
  })
}

async function resultOf(tested: Tested, outcome: Outcome, lookup: Lookup): Promise<Outcome | Inquiry> {
  if (tested.port.deliverNotices === undefined) return outcome
  await tested.port.deliverNotices()
  return tested.acquirer().inquire(lookup)
}
