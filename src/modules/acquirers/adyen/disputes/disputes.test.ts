import { beforeEach, describe, expect, test } from 'vitest'
import type { DisputeRecord, Evidence } from '../../port/disputes.ts'
import type { Notice } from '../../port/notices.ts'
import { card, chargeCall, startAdyenTwin } from '../testing/adyen-twin.ts'
import { chooseReason, readReasons } from './defense.ts'
import { NEEDS_DATA } from '../../../../../twins/common/acquirer-data.ts'
import { examplesOf, HAS_EXAMPLES } from '../testing/examples.ts'
import { disputeOf } from './dispute-record.ts'

// Proves reference/acquirers#adyen.
const { twin, acquirer, notices, receiveNotices } = await startAdyenTwin()
await receiveNotices({ repeat: 1, shuffle: true })
const { disputes } = acquirer

beforeEach(() => twin.setFaults({}))

const PDF = { name: 'receipt.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.4') }
const EVIDENCE: Evidence = { texts: {}, files: { uncategorized_file: PDF } }

async function seen(reference: string, type: string): Promise<void> {
  await expect
    .poll(() => notices.some((each) => each.type === type && each.subject.reference === reference))
    .toBe(true)
}

async function found(reference: string): Promise<DisputeRecord> {
  const reply = await disputes.get(reference)
  if (reply.kind !== 'ok') throw new Error(reply.kind)
  return reply.value
}

async function chargedBack(): Promise<DisputeRecord> {
  const { request } = chargeCall({ instrument: card('chargeback:10.4') })
  const paid = await acquirer.sale(request)
  if (paid.kind !== 'approved') throw new Error(paid.kind)
  const payment = paid.gatewayTransactionId
  const isOurs = ({ type, facts }: Notice) => type === 'CHARGEBACK' && facts.originalReference === payment
  await expect.poll(() => notices.some(isOurs)).toBe(true)
  return found(notices.find(isOurs)?.subject.reference ?? '')
}

describe('a dispute', () => {
  test('is read from its notices, in whatever order and however often they come', async () => {
    const dispute = await chargedBack()
    expect(dispute).toMatchObject({ reason: 'fraudulent', state: 'needs_response', isSubmitted: false })
    expect(dispute.amount.toString()).toBe('10.00')
    expect(dispute.respondBy?.since(dispute.openedAt).total('days')).toBe(14)
    expect(await disputes.get('NOSUCHDISPUTE')).toEqual({ kind: 'absent' })
    const openedAfter = dispute.openedAt.subtract({ hours: 1 })
    expect(await disputes.list({ openedAfter, cursor: null })).toEqual({
      kind: 'ok',
      value: { items: [], nextCursor: null },
    })
  })

  test('takes evidence once, and a repeated submission is harmless', async () => {
    const { reference } = await chargedBack()
    expect(await disputes.submit(reference, EVIDENCE, 'dsb_1')).toMatchObject({
      kind: 'ok',
      value: { isSubmitted: true, state: 'under_review' },
    })
    await seen(reference, 'INFORMATION_SUPPLIED')
    expect(await disputes.submit(reference, EVIDENCE, 'dsb_1')).toMatchObject({ kind: 'ok' })
    expect(await found(reference)).toMatchObject({ isSubmitted: true, state: 'under_review' })
  })

  test('whose submission got no answer is submitted by asking again', async () => {
    const { reference } = await chargedBack()
    await twin.setFaults({ lose_answer: 1, match: 'defendDispute$' })
    expect(await disputes.submit(reference, EVIDENCE, 'dsb_2')).toMatchObject({ kind: 'unavailable' })
    await twin.setFaults({})
    expect(await disputes.submit(reference, EVIDENCE, 'dsb_2')).toMatchObject({
      kind: 'ok',
      value: { isSubmitted: true },
    })
  })

  test('refuses evidence that fits no reason, and says what would', async () => {
    const { reference } = await chargedBack()
    const reply = await disputes.submit(reference, { texts: {}, files: { receipt: PDF } }, 'dsb_3')
    expect(reply).toMatchObject({ kind: 'refused', message: expect.stringContaining('uncategorized_file') })
    expect(await found(reference)).toMatchObject({ isSubmitted: false })
  })

  test.each(['won', 'lost'] as const)('ends %s', async (end) => {
    const { reference } = await chargedBack()
    await disputes.submit(reference, EVIDENCE, `dsb_${end}`)
    await twin.control('POST', `/_twin/disputes/${reference}/${end}`)
    await seen(reference, end === 'won' ? 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED' : 'SECOND_CHARGEBACK')
    expect(await found(reference)).toMatchObject({ state: end, isSubmitted: true })
  })
})

const FACTS = {
  pspReference: 'D1',
  originalReference: 'P1',
  currency: 'EUR',
  value: '1000',
  chargebackReasonCode: '13.1',
}

function notice(facts: Record<string, string>): Notice {
  const subject = { kind: 'dispute', reference: 'D1', key: null } as const
  return { id: JSON.stringify(facts), type: facts.eventCode ?? '', subject, facts: { ...FACTS, ...facts } }
}

test.each([
  ['inquiry_needs_response', [['REQUEST_FOR_INFORMATION', '2026-01-01', 'Unresponded']]],
  ['inquiry_closed', [['REQUEST_FOR_INFORMATION', '2026-01-01', 'Expired']]],
  [
    'needs_response',
    [
      ['REQUEST_FOR_INFORMATION', '2026-01-01', ''],
      ['CHARGEBACK', '2026-01-02', 'Undefended'],
    ],
  ],
  [
    'under_review',
    [
      ['INFORMATION_SUPPLIED', '2026-01-03', 'Pending'],
      ['CHARGEBACK', '2026-01-02', ''],
    ],
  ],
  [
    'lost',
    [
      ['DISPUTE_DEFENSE_PERIOD_ENDED', '2026-02-01', 'Lost'],
      ['CHARGEBACK', '2026-01-02', ''],
    ],
  ],
  [
    'won',
    [
      ['PREARBITRATION_WON', '2026-02-01', ''],
      ['SECOND_CHARGEBACK', '2026-01-20', ''],
    ],
  ],
] as const)('a dispute is %s by the latest of its events', (state, events) => {
  const record = disputeOf(
    'D1',
    events.map(([eventCode, day, disputeStatus]) =>
      notice({ eventCode, eventDate: `${day}T10:00:00+01:00`, ...(disputeStatus && { disputeStatus }) }),
    ),
  )
  expect(record).toMatchObject({ state, reason: 'product_not_received', paymentReference: 'P1' })
})

test.skipIf(!HAS_EXAMPLES)(`reasons of defense are read from Adyen's example ${NEEDS_DATA}`, () => {
  const example = examplesOf('DisputeService-v30').get(
    'post-retrieveApplicableDefenseReasons-retrieve-defense-reasons-200',
  )
  const reasons = readReasons(example ?? {})
  const choose = (evidence: Evidence) => chooseReason(reasons, evidence)
  expect(choose(EVIDENCE)).toEqual({ ok: true, code: 'SupplyDefenseMaterial' })
  const goods = { texts: {}, files: { goods_were_as_described: PDF, receipt: PDF } }
  expect(choose(goods)).toEqual({ ok: true, code: 'GoodsWereAsDescribed' })
  expect(choose({ ...EVIDENCE, texts: { defense_reason_code: 'GoodsNotReturned' } }).ok).toBe(false)
})
