import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { FollowUpRequest, Outcome } from '../port/port.ts'
import {
  AMOUNT,
  charge,
  FAULTS,
  lookupOf,
  movedUnder,
  newRow,
  referenceOf,
  type Row,
  type Tested,
} from './port-harness.ts'
import { START } from './simulator.ts'

type FollowUpKind = 'capture' | 'refund' | 'void'

const FOLLOW_UPS: readonly FollowUpKind[] = ['capture', 'refund', 'void']

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
  test.each(FOLLOW_UPS)('an approved %s is booked once, and an inquiry finds it', async (kind) => {
    const original = await originalFor(tested, kind)
    const row = newRow()
    expect((await followUp(tested, kind, row, original)).kind).toBe('approved')
    const found = await tested.acquirer().inquire(lookupOf(row, kind, original.reference))
    expect(found.kind).toBe('approved')
    expect(await followUpsMoved(tested, kind, row, original)).toEqual(['12.30'])
  })

  test.each(['capture', 'refund'] as const)('a %s of more than there is moves nothing', async (kind) => {
    const original = await originalFor(tested, kind)
    const row = newRow()
    const outcome = await followUp(tested, kind, row, original, Money.ofDecimal('USD', '12.31'))
    expect(['declined', 'refused']).toContain(outcome.kind)
    expect(await followUpsMoved(tested, kind, row, original)).toEqual([])
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
      const moved = await followUpsMoved(tested, kind, row, original)
      if (found.kind === 'approved') expect(moved).toEqual(['12.30'])
      if (found.kind === 'absent' && found.closed) expect(moved).toEqual([])

      const isOpen = found.kind === 'absent' || found.kind === 'unknown'
      if (!isOpen || tested.acquirer().capabilities.closes.has(kind)) return
      await followUp(tested, kind, row, original)
      expect((await followUpsMoved(tested, kind, row, original)).length).toBeLessThanOrEqual(1)
    },
  )
}
