import { expect, test } from 'vitest'
import type { Instrument, Lookup } from '../port/port.ts'
import {
  challengeOf,
  charge,
  type ChargeKind,
  CHARGES,
  FAULTS,
  isFinallyUnpaid,
  lookupOf,
  movedUnder,
  needs,
  newRow,
  type Row,
  type Tested,
} from './port-harness.ts'

interface Challenged {
  readonly row: Row
  readonly lookup: Lookup
  readonly url: string
}

async function challenge(
  tested: Tested,
  kind: ChargeKind,
  instrument: Instrument,
  payerPresent = true,
): Promise<Challenged> {
  const row = newRow()
  const url = challengeOf(await charge(tested, kind, row, instrument, payerPresent))
  return { row, lookup: lookupOf(row, kind), url }
}

export function describeReturns(tested: Tested): void {
  const { port } = tested
  needs(port, 'payer')

  test.each(CHARGES)(
    'a %s that the payer confirms is booked once, however often they come back',
    async (kind) => {
      const { row, lookup, url } = await challenge(tested, kind, port.instruments.challenges)
      const returned = await port.answerChallenge(url, 'approve')
      for (const _again of [1, 2]) {
        expect((await tested.acquirer().inquire({ ...lookup, returned })).kind).toBe('approved')
      }
      await port.deliverNotices?.()
      expect((await tested.acquirer().inquire(lookup)).kind).toBe('approved')
      expect((await tested.acquirer().closeKey(lookup)).kind).toBe('approved')
      expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
    },
  )

  test.each(CHARGES)('a %s that the payer does not confirm moves nothing, then or later', async (kind) => {
    const { row, lookup, url } = await challenge(tested, kind, port.instruments.challenges)
    const returned = await port.answerChallenge(url, 'decline')
    expect((await tested.acquirer().inquire({ ...lookup, returned })).kind).toBe('declined')
    expect(isFinallyUnpaid(await tested.acquirer().closeKey({ ...lookup, returned }))).toBe(true)
    expect(await movedUnder(tested, row.key)).toEqual([])
  })

  test.each(CHARGES)('a %s is not paid by what the payer of another one brings back', async (kind) => {
    const mine = await challenge(tested, kind, port.instruments.challenges)
    const other = await challenge(tested, kind, port.instruments.challenges)
    const returned = await port.answerChallenge(other.url, 'approve')
    expect((await tested.acquirer().inquire({ ...mine.lookup, returned })).kind).toBe('pending')
    expect(isFinallyUnpaid(await tested.acquirer().closeKey(mine.lookup))).toBe(true)
    expect(await movedUnder(tested, mine.row.key)).toEqual([])
    expect((await tested.acquirer().inquire({ ...other.lookup, returned })).kind).toBe('approved')
    expect(await movedUnder(tested, other.row.key)).toEqual(['12.30'])
  })

  test.each(CHARGES.flatMap((kind) => FAULTS.map((fault) => [kind, fault] as const)))(
    'a %s that meets %s when its payer comes back is booked once',
    async (kind, fault) => {
      const { row, lookup, url } = await challenge(tested, kind, port.instruments.challenges)
      const returned = await port.answerChallenge(url, 'approve')
      await port.setFaults({ [fault]: 1 })
      const met = await tested.acquirer().inquire({ ...lookup, returned })
      expect(['approved', 'pending', 'unknown']).toContain(met.kind)
      await port.setFaults({})
      expect((await tested.acquirer().inquire({ ...lookup, returned })).kind).toBe('approved')
      expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
    },
  )

  test.each(CHARGES)('a %s that was closed is not paid by a payer who comes back', async (kind) => {
    const { row, lookup, url } = await challenge(tested, kind, port.instruments.challenges)
    expect(isFinallyUnpaid(await tested.acquirer().closeKey(lookup))).toBe(true)
    await port.answerChallenge(url, 'approve').catch(() => ({}))
    expect(isFinallyUnpaid(await tested.acquirer().closeKey(lookup))).toBe(true)
    expect(await movedUnder(tested, row.key)).toEqual([])
  })

  test.each(CHARGES)('a %s without the payer is booked once when they follow the link', async (kind) => {
    const row = newRow()
    const outcome = await charge(tested, kind, row, port.instruments.needsPayer, false)
    if (outcome.kind === 'declined') return
    const returned = await port.answerChallenge(challengeOf(outcome), 'approve')
    expect((await tested.acquirer().inquire({ ...lookupOf(row, kind), returned })).kind).toBe('approved')
    expect(await movedUnder(tested, row.key)).toEqual(['12.30'])
  })
}
