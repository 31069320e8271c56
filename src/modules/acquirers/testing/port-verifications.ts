import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import type { Inquiry, Instrument, VerifyOutcome } from '../port/port.ts'
import {
  challengeOf,
  charge,
  FAULTS,
  isFinallyUnpaid,
  lookupOf,
  movedIn,
  movedUnder,
  needs,
  newRow,
  resolve,
  RETURN_URL,
  type Row,
  type Tested,
} from './port-harness.ts'
import { START } from './simulator.ts'

function verify({ acquirer }: Tested, row: Row, instrument: Instrument): Promise<VerifyOutcome> {
  const customerUuid = newId('cus')
  return acquirer().verify({
    key: row.key,
    at: START,
    instrument,
    payer: { customerUuid, reference: null, name: 'Ann Lee', email: 'ann@example.org' },
    returnUrl: RETURN_URL,
    commitReference: (reference) => row.onCommit(reference),
  })
}

function verificationOf(row: Row) {
  return { ...lookupOf(row, 'verification'), amount: null }
}

async function expectChargeable(
  tested: Tested,
  verified: VerifyOutcome | Inquiry,
  instrument: Instrument,
): Promise<void> {
  if (verified.kind !== 'approved') throw new Error(`it is ${verified.kind}`)
  const { instrument: stored } = verified
  const row = newRow()
  const chargeable: Instrument =
    stored === undefined
      ? instrument
      : { type: 'acquirer_token', id: stored.id, payerReference: stored.payerReference }
  const outcome = await charge(tested, 'sale', row, chargeable)
  expect(['approved', 'pending']).toContain(outcome.kind)
  expect(await movedUnder(tested, row.key)).toEqual(outcome.kind === 'approved' ? ['12.30'] : [])
}

export function describeVerifications(tested: Tested): void {
  const { port } = tested
  const { approves, challenges } = port.instruments

  test('a verification moves no money, and what it verified can be charged', async () => {
    const row = newRow()
    const before = movedIn(await port.books())
    const outcome = await verify(tested, row, approves)
    expect(outcome.kind).toBe('approved')
    expect(movedIn(await port.books())).toBe(before)
    await expectChargeable(tested, outcome, approves)
  })

  describe('payers who come back', () => {
    needs(port, 'payer')

    test('a verification that needs the payer is approved when they come back', async () => {
      const row = newRow()
      const before = movedIn(await port.books())
      const url = challengeOf(await verify(tested, row, challenges))
      expect((await tested.acquirer().inquire(verificationOf(row))).kind).toBe('pending')
      const returned = await port.answerChallenge(url, 'approve')
      const found = await tested.acquirer().inquire({ ...verificationOf(row), returned })
      expect(found.kind).toBe('approved')
      expect((await tested.acquirer().inquire({ ...verificationOf(row), returned })).kind).toBe('approved')
      expect(movedIn(await port.books())).toBe(before)
      await expectChargeable(tested, found, challenges)
    })

    test('a verification that the payer does not confirm is declined', async () => {
      const row = newRow()
      const url = challengeOf(await verify(tested, row, challenges))
      const returned = await port.answerChallenge(url, 'decline')
      expect((await tested.acquirer().inquire({ ...verificationOf(row), returned })).kind).toBe('declined')
      expect(isFinallyUnpaid(await tested.acquirer().closeKey({ ...verificationOf(row), returned }))).toBe(
        true,
      )
    })
  })

  test('a verification that nobody confirms can be closed', async () => {
    const row = newRow()
    challengeOf(await verify(tested, row, challenges))
    expect(isFinallyUnpaid(await tested.acquirer().closeKey(verificationOf(row)))).toBe(true)
  })

  test.each(FAULTS)('a verification with %s is approved or closed, and moves no money', async (fault) => {
    const row = newRow()
    const before = movedIn(await port.books())
    await port.setFaults({ [fault]: 1 })
    const outcome = await verify(tested, row, approves)
    expect(['unknown', 'refused']).toContain(outcome.kind)
    await port.setFaults({})
    const found = await resolve(tested, verificationOf(row))
    expect(found.kind === 'approved' || isFinallyUnpaid(found)).toBe(true)
    expect(movedIn(await port.books())).toBe(before)
  })
}
