import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { FollowUpRequest, Lookup } from '../../port/port.ts'
import { connectToTwin, followUpOf, newLookup } from '../testing/twin.ts'

// Proves reference/acquirers#outcomes.

const { twin, acquirer, sdk, newCharge, moved } = await connectToTwin()

const SIX = Money.ofDecimal('USD', '6.00')

async function authorized() {
  const { request, lookup } = await newCharge('visa')
  const outcome = await acquirer.authorize(request)
  expect(outcome).toMatchObject({ kind: 'approved', responseCode: 'requires_capture' })
  return { request, outcome, lookup }
}

async function paid() {
  const { request } = await newCharge('visa')
  const outcome = await acquirer.sale(request)
  expect(outcome.kind).toBe('approved')
  return followUpOf(request, outcome, SIX)
}

function lookupOf(kind: Lookup['kind'], followUp: FollowUpRequest, hoursAgo = 0): Lookup {
  const sentAt = realClock.now().subtract({ seconds: Math.round(hoursAgo * 3600) })
  return { ...newLookup(followUp), kind, originalReference: followUp.originalReference, sentAt }
}

describe('a capture', () => {
  test('takes a part and releases the rest', async () => {
    const { request, outcome, lookup } = await authorized()
    const followUp = followUpOf(request, outcome, SIX)
    expect(await acquirer.capture(followUp)).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: followUp.originalReference,
    })
    const intent = await sdk.paymentIntents.retrieve(followUp.originalReference)
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 600 })
    expect((await acquirer.inquire(lookup({ kind: 'authorization' }))).kind).toBe('approved')
    expect((await acquirer.capture(followUpOf(request, outcome, request.amount))).kind).toBe('refused')
  })

  test.each([
    ['fail_before', 'absent'],
    ['lose_answer', 'approved'],
    ['rate_limit', 'absent'],
  ] as const)('with %s is found by reading the payment', async (fault, expected) => {
    const { request, outcome } = await authorized()
    const followUp = followUpOf(request, outcome, SIX)
    await twin.setFaults({ [fault]: 1, times: 1, match: '/capture$' })
    expect((await acquirer.capture(followUp)).kind).toBe('unknown')
    expect((await acquirer.inquire(lookupOf('capture', followUp))).kind).toBe(expected)
    await twin.pruneKeys()
    expect((await acquirer.capture(followUp)).kind).toBe('approved')
    const { key } = followUp
    expect(await moved(key)).toMatchObject([{ key, operation: 'capture', amount: '6.00' }])
  })

  test('of more than was authorized is refused', async () => {
    const { request, outcome } = await authorized()
    const followUp = followUpOf(request, outcome, Money.ofDecimal('USD', '12.01'))
    expect((await acquirer.capture(followUp)).kind).toBe('refused')
    expect(await acquirer.inquire(lookupOf('capture', followUp))).toEqual({ kind: 'absent', closed: false })
  })
})

describe('a void', () => {
  test('cancels the authorization, once', async () => {
    const { request, outcome, lookup } = await authorized()
    const followUp = followUpOf(request, outcome)
    await twin.setFaults({ lose_answer: 1, times: 1, match: '/cancel$' })
    expect((await acquirer.void(followUp)).kind).toBe('unknown')
    expect((await acquirer.inquire(lookupOf('void', followUp))).kind).toBe('approved')
    expect((await acquirer.void(followUp)).kind).toBe('approved')
    expect(await acquirer.inquire(lookup({ kind: 'authorization' }))).toEqual({
      kind: 'absent',
      closed: true,
    })
    expect(await acquirer.inquire(lookupOf('capture', followUp))).toEqual({ kind: 'absent', closed: true })
  })

  test('of what was captured is refused', async () => {
    const followUp = await paid()
    expect((await acquirer.void(followUp)).kind).toBe('refused')
    expect(await acquirer.inquire(lookupOf('void', followUp))).toEqual({ kind: 'absent', closed: true })
  })
})

describe('closing a key', () => {
  test('leaves an approved authorization alone', async () => {
    const { lookup } = await authorized()
    expect((await acquirer.closeKey(lookup({ kind: 'authorization' }))).kind).toBe('approved')
  })
})

describe('a refund', () => {
  test('has an id of its own and names its charge', async () => {
    const followUp = await paid()
    const outcome = await acquirer.refund(followUp)
    const [refund] = (await sdk.refunds.list({ payment_intent: followUp.originalReference })).data
    expect(outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: refund?.id, rrn: refund?.charge })
    expect(refund).toMatchObject({ amount: 600, metadata: { quittance_key: followUp.key } })
  })

  test('whose answer was lost is found by our key, before and after Stripe forgot it', async () => {
    for (const hoursAgo of [0, 30]) {
      const followUp = await paid()
      await twin.setFaults({ lose_answer: 1, times: 1, match: '^POST /v1/refunds' })
      expect((await acquirer.refund(followUp)).kind).toBe('unknown')
      await twin.pruneKeys()
      expect((await acquirer.inquire(lookupOf('refund', followUp, hoursAgo))).kind).toBe('approved')
      expect(await moved(followUp.key)).toHaveLength(1)
    }
  })

  test('that never arrived is sent again for 23 h, and never later', async () => {
    const followUp = await paid()
    await twin.setFaults({ fail_before: 1, times: 1, match: '^POST /v1/refunds' })
    expect((await acquirer.refund(followUp)).kind).toBe('unknown')
    await twin.pruneKeys()
    expect((await acquirer.inquire(lookupOf('refund', followUp, 23.1))).kind).toBe('unknown')
    expect(await moved(followUp.key)).toEqual([])
    expect((await acquirer.inquire(lookupOf('refund', followUp, 22.9))).kind).toBe('approved')
    expect((await acquirer.inquire(lookupOf('refund', followUp, 22.9))).kind).toBe('approved')
    const { key } = followUp
    expect(await moved(key)).toMatchObject([{ key, operation: 'refund', amount: '6.00' }])
  })

  test('is found among more refunds than fit a page', async () => {
    const { request } = await newCharge('visa', { amount: Money.ofDecimal('USD', '200.00') })
    const outcome = await acquirer.sale(request)
    const followUp = followUpOf(request, outcome, Money.ofDecimal('USD', '1.00'))
    expect((await acquirer.refund(followUp)).kind).toBe('approved')
    for (let number = 0; number < 101; number++) {
      await sdk.refunds.create({ payment_intent: followUp.originalReference, amount: 100 })
    }
    expect((await acquirer.inquire(lookupOf('refund', followUp, 30))).kind).toBe('approved')
  })

  test('of more than is left is refused', async () => {
    const followUp = await paid()
    const tooMuch = { ...followUp, amount: Money.ofDecimal('USD', '12.01') }
    expect((await acquirer.refund(tooMuch)).kind).toBe('refused')
  })

  test.each([
    ['pendingRefund', 'pending', 'approved'],
    ['refundFail', 'approved', 'declined'],
  ])('of the card %s is %s and then %s', async (card, first, later) => {
    const { request } = await newCharge(card)
    const followUp = followUpOf(request, await acquirer.sale(request))
    expect((await acquirer.refund(followUp)).kind).toBe(first)
    await twin.advanceClock(7 * 24 * 3600)
    expect((await acquirer.inquire(lookupOf('refund', followUp))).kind).toBe(later)
  })
})
