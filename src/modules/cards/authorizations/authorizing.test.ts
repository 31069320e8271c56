import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { readPage } from '#platform/http/validation/list'
import { withKey } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness, authorizationIn, freezeClock, used } = fixture

const LIFETIME = [{ period: 'Lifetime' as const, limit_amount: '100' }]

// Proves reference/cards#authorizations.
test('an approval counts in all limits and writes an event', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    limits: [
      { period: 'Transaction', limit_amount: '60' },
      { period: 'Daily', limit_amount: '100' },
      { period: 'Lifetime', limit_amount: '1000', status: 'Inactive' },
    ],
  })
  const approved = await authorize(caller, card.id, '60.00', { reference_id: 'r1' })
  expect(approved).toMatchObject({
    state: 'pending',
    approved: true,
    amount: '60.00',
    held_amount: '60.00',
    captured_amount: '0.00',
    refunded_amount: '0.00',
    currency: 'HKD',
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    reference_id: 'r1',
  })
  expect(approved).not.toHaveProperty('decline_reason')
  expect(await used(caller, card.id)).toEqual({ Transaction: '0.00', Daily: '60.00', Lifetime: '60.00' })
  expect(await fixture.eventsOf(caller, card.id)).toMatchObject([
    { type: 'card.linked', sequence: 1 },
    { type: 'card.authorization.approved', sequence: 2, data: { authorization: approved } },
  ])
})

// Proves reference/cards#decline-reasons.
test('a decline gives the first reason in the documented order', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-20T04:00:00Z')
  const card = await issueActive(caller, {
    limits: (['Lifetime', 'Monthly', 'Daily', 'Transaction'] as const).map((period) => ({
      period,
      limit_amount: '10',
    })),
    spending_controls: {
      blocked_categories: ['7995'],
      allowed_countries: ['HK'],
      single_use: true,
      count_limits: [
        { period: 'Lifetime', count: 1 },
        { period: 'Daily', count: 1 },
        { period: 'Monthly', count: 1 },
      ],
    },
  })
  const allWrong = { currency: 'USD', mcc: '7995', country: 'US' }
  expect((await authorize(caller, card.id, '10')).approved).toBe(true)
  const reasonOf = async (request: object, amount = '11') =>
    (await authorize(caller, card.id, amount, request)).decline_reason
  await cards.changeStatus(caller, card.id, { status: 'Locked' })
  expect(await reasonOf(allWrong)).toBe('card_not_active')
  await cards.changeStatus(caller, card.id, { status: 'Active' })
  expect(await reasonOf(allWrong)).toBe('currency_not_supported')
  expect(await reasonOf({ ...allWrong, currency: 'HKD' })).toBe('merchant_category_blocked')
  expect(await reasonOf({ country: 'US' })).toBe('country_blocked')
  expect(await reasonOf({})).toBe('single_use_spent')
  const countLimits = (...periods: ('Daily' | 'Monthly' | 'Lifetime')[]) =>
    cards.edit(caller, card.id, {
      spending_controls:
        periods.length === 0 ? {} : { count_limits: periods.map((period) => ({ period, count: 1 })) },
    })
  await countLimits('Lifetime', 'Monthly', 'Daily')
  expect(await reasonOf({})).toBe('count_exceeded_daily')
  await countLimits('Lifetime', 'Monthly')
  expect(await reasonOf({})).toBe('count_exceeded_monthly')
  await countLimits('Lifetime')
  expect(await reasonOf({})).toBe('count_exceeded_lifetime')
  await countLimits()
  expect(await reasonOf({})).toBe('limit_exceeded_transaction')
  expect(await reasonOf({}, '10')).toBe('limit_exceeded_daily')
  await freezeClock(caller, '2026-11-21T04:00:00Z')
  expect(await reasonOf({}, '10')).toBe('limit_exceeded_monthly')
  await freezeClock(caller, '2026-12-21T04:00:00Z')
  expect(await reasonOf({}, '10')).toBe('limit_exceeded_lifetime')
  await freezeClock(caller, '2036-12-21T04:00:00Z')
  expect(await reasonOf(allWrong)).toBe('card_expired')
})

test('a decline holds nothing, is stored, and writes an event', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const declined = await authorize(caller, card.id, '100.01', { reference_id: 'r' })
  expect(declined).toMatchObject({
    state: 'declined',
    approved: false,
    decline_reason: 'limit_exceeded_lifetime',
    held_amount: '0.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '0.00' })
  expect((await fixture.eventsOf(caller, card.id)).at(-1)).toMatchObject({
    type: 'card.authorization.declined',
    data: { authorization: declined },
  })
  await expect(cards.capture(caller, declined.uuid, {})).rejects.toMatchObject({ status: 409 })
  await expect(cards.reverse(caller, declined.uuid, {})).rejects.toMatchObject({ status: 409 })
  await expect(cards.refund(caller, declined.uuid, {})).rejects.toMatchObject({ status: 409 })
})

// Proves reference/cards#operations-repeated.
test('a repeated reference gets the first decision, under concurrency and whatever else the request says', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const authorizations = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      authorize(caller, card.id, String(60 + i), { reference_id: 'same' }),
    ),
  )
  expect(new Set(authorizations.map((authorization) => authorization.uuid)).size).toBe(1)
  expect(await used(caller, card.id)).toEqual({ Lifetime: authorizations[0]?.amount })
  const declined = await authorize(caller, card.id, '90', { reference_id: 'declined' })
  expect(await authorize(caller, card.id, '1', { reference_id: 'declined' })).toEqual(declined)
  const repeat = { reference_id: 'declined' }
  expect(await authorize(caller, card.id, '1.001', repeat)).toEqual(declined)
  expect(await authorize(caller, card.id, '0', repeat)).toEqual(declined)
  expect(await authorize(caller, card.id, '1', { ...repeat, currency: 'ZZZ' })).toEqual(declined)
})

test('an amount of 0 or less, too many decimals and an unknown currency are 422', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller)
  for (const amount of ['0', '0.00', '-1', '1.001']) {
    await expect(authorize(caller, card.id, amount)).rejects.toMatchObject({
      reason: 'card_amount_invalid',
      detail: { param: 'authorization.amount' },
    })
  }
  await expect(authorize(caller, card.id, '1', { currency: 'XXX' })).rejects.toMatchObject({ status: 422 })
})

// Proves reference/cards#captures.
test('a partial capture keeps the rest held until a final capture releases it', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '100')
  expect(await authorizationIn(cards.capture(caller, uuid, { amount: '30' }))).toMatchObject({
    state: 'pending',
    held_amount: '70.00',
    captured_amount: '30.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '100.00' })
  expect(await authorizationIn(cards.capture(caller, uuid, { amount: '20', final: true }))).toMatchObject({
    state: 'captured',
    amount: '100.00',
    held_amount: '0.00',
    captured_amount: '50.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '50.00' })
  await expect(cards.capture(caller, uuid, {})).rejects.toMatchObject({ reason: 'nothing_to_capture' })
})

test('a capture without an amount captures all that is held', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '100')
  await cards.reverse(caller, uuid, { amount: '40' })
  expect(await authorizationIn(cards.capture(caller, uuid, {}))).toMatchObject({
    state: 'captured',
    captured_amount: '60.00',
  })
})

test('a capture above the hold is not blocked and counts as used', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '90')
  expect(await authorizationIn(cards.capture(caller, uuid, { amount: '130' }))).toMatchObject({
    state: 'captured',
    amount: '90.00',
    captured_amount: '130.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '130.00' })
  expect((await authorize(caller, card.id, '0.01')).decline_reason).toBe('limit_exceeded_lifetime')
  expect(await fixture.breaches(caller)).toEqual([])
})

// Proves reference/cards#holds.
test('a reversal frees the limit, and a fully reversed authorization cannot be captured', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    limits: LIFETIME,
    spending_controls: { single_use: true },
  })
  const { uuid } = await authorize(caller, card.id, '100')
  expect((await authorize(caller, card.id, '1')).decline_reason).toBe('single_use_spent')
  await expect(cards.reverse(caller, uuid, { amount: '100.01' })).rejects.toMatchObject({
    reason: 'reversal_too_large',
  })
  expect(await authorizationIn(cards.reverse(caller, uuid, { amount: '40' }))).toMatchObject({
    state: 'pending',
    held_amount: '60.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
  expect(await authorizationIn(cards.reverse(caller, uuid, {}))).toMatchObject({ state: 'reversed' })
  await expect(cards.capture(caller, uuid, { amount: '1' })).rejects.toMatchObject({
    reason: 'authorization_state_conflict',
  })
  await expect(cards.reverse(caller, uuid, {})).rejects.toMatchObject({ status: 409 })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '0.00' })
  expect((await authorize(caller, card.id, '100')).approved).toBe(true)
})

// Proves reference/cards#refunds.
test('a refund lowers the used amount and never exceeds what was captured', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '100')
  await expect(cards.refund(caller, uuid, {})).rejects.toMatchObject({ reason: 'nothing_to_refund' })
  await cards.capture(caller, uuid, {})
  expect(await authorizationIn(cards.refund(caller, uuid, { amount: '30' }))).toMatchObject({
    state: 'captured',
    refunded_amount: '30.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '70.00' })
  await expect(cards.refund(caller, uuid, { amount: '70.01' })).rejects.toMatchObject({
    reason: 'card_refund_too_large',
  })
  expect(await authorizationIn(cards.refund(caller, uuid, {}))).toMatchObject({ state: 'refunded' })
  await expect(cards.refund(caller, uuid, {})).rejects.toMatchObject({ reason: 'nothing_to_refund' })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '0.00' })
})

// Proves reference/cards#operations-repeated.
test('a capture or refund with a repeated reference runs once and gets the first response', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '100')
  const captures = await Promise.all(
    Array.from({ length: 5 }, () =>
      authorizationIn(cards.capture(caller, uuid, { amount: '40', reference_id: 'c1' })),
    ),
  )
  expect(captures).toEqual(Array.from({ length: 5 }, () => captures[0]))
  await cards.capture(caller, uuid, { amount: '10', reference_id: 'c2' })
  expect(await authorizationIn(cards.capture(caller, uuid, { amount: '40', reference_id: 'c1' }))).toEqual(
    captures[0],
  )
  const refund = { amount: '5', reference_id: 'c1' }
  const refunded = await authorizationIn(cards.refund(caller, uuid, refund))
  expect(await authorizationIn(cards.refund(caller, uuid, refund))).toEqual(refunded)
  expect(refunded).toMatchObject({ captured_amount: '50.00', refunded_amount: '5.00' })
})

// Proves reference/cards#holds.
test('a capture after seven days is forced even before the job has released the hold', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-01T04:00:00Z')
  const card = await issueActive(caller, {
    limits: [...LIFETIME, { period: 'Daily', limit_amount: '100' }],
  })
  const { uuid } = await authorize(caller, card.id, '50')
  const end = Temporal.Instant.from('2026-11-08T04:00:00Z')
  await freezeClock(caller, end.subtract({ milliseconds: 1 }))
  await cards.capture(caller, uuid, { amount: '10' })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '50.00', Daily: '0.00' })
  await freezeClock(caller, end)
  await expect(cards.reverse(caller, uuid, {})).rejects.toMatchObject({ status: 409 })
  expect(await authorizationIn(cards.capture(caller, uuid, { amount: '15' }))).toMatchObject({
    state: 'captured',
    held_amount: '0.00',
    captured_amount: '25.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '25.00', Daily: '15.00' })
  expect(await fixture.runJob(caller, 'card_hold_expiry', end)).toBe(0)
  expect(await fixture.breaches(caller)).toEqual([])
})

test('a hold expires after seven days, and a late capture is forced and counts at its own time', async () => {
  const caller = await newBusiness()
  await freezeClock(caller, '2026-11-01T04:00:00Z')
  const card = await issueActive(caller, {
    limits: [...LIFETIME, { period: 'Daily', limit_amount: '100' }],
  })
  const uncaptured = await authorize(caller, card.id, '50')
  const part = await authorize(caller, card.id, '50')
  await cards.capture(caller, part.uuid, { amount: '20' })
  const end = Temporal.Instant.from('2026-11-08T04:00:00Z')
  expect(await fixture.runJob(caller, 'card_hold_expiry', end.subtract({ milliseconds: 1 }))).toBe(0)
  await freezeClock(caller, end)
  expect(await fixture.runJob(caller, 'card_hold_expiry', end)).toBe(2)
  const list = (await cards.authorizations(
    caller,
    card.id,
    readPage('card_authorizations', { limit: 9 }),
  )) as {
    authorizations: { uuid: string; state: string; held_amount: string }[]
  }
  expect(list.authorizations).toMatchObject([
    { uuid: part.uuid, state: 'captured', held_amount: '0.00' },
    { uuid: uncaptured.uuid, state: 'expired', held_amount: '0.00' },
  ])
  expect(await used(caller, card.id)).toEqual({ Lifetime: '20.00', Daily: '0.00' })
  await expect(cards.capture(caller, uncaptured.uuid, {})).rejects.toMatchObject({
    reason: 'nothing_to_capture',
  })
  expect(await authorizationIn(cards.capture(caller, uncaptured.uuid, { amount: '45' }))).toMatchObject({
    state: 'captured',
    captured_amount: '45.00',
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '65.00', Daily: '45.00' })
  expect(await fixture.breaches(caller)).toEqual([])
})

// Proves reference/cards#status.
test('terminating a card keeps its holds for capture and declines new authorizations', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const { uuid } = await authorize(caller, card.id, '10')
  await cards.changeStatus(caller, card.id, { status: 'Terminated' })
  expect((await authorize(caller, card.id, '1')).decline_reason).toBe('card_not_active')
  expect(await authorizationIn(cards.capture(caller, uuid, {}))).toMatchObject({ state: 'captured' })
})

// Proves reference/conventions#idempotency.
test('a repeated Idempotency-Key gets the first response, and a rejected request does not use the key up', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const keyed = withKey(caller, newId('key'))
  await expect(authorize(keyed, newId('crd'), '10')).rejects.toMatchObject({ reason: 'card_not_found' })
  const first = await authorize(keyed, card.id, '10', { reference_id: 'a' })
  await expect(authorize(keyed, card.id, '10', { reference_id: 'b' })).rejects.toMatchObject({
    status: 200,
    body: JSON.stringify({ code: 200, message: 'succeed', data: { authorization: first } }),
  })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '10.00' })
})

test('concurrent requests with one Idempotency-Key decide once', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: LIFETIME })
  const keyed = withKey(caller, 'k')
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => authorize(keyed, card.id, '10')))
  const replays: number[] = []
  for (const result of results) {
    if (result.status === 'rejected') replays.push((result.reason as { status: number }).status)
  }
  expect(replays).toHaveLength(9)
  expect(replays.every((status) => status === 200 || status === 409)).toBe(true)
  const other = withKey(caller, 'k', 'other')
  await expect(authorize(other, card.id, '10')).rejects.toMatchObject({ status: 422 })
  expect(await used(caller, card.id)).toEqual({ Lifetime: '10.00' })
})
