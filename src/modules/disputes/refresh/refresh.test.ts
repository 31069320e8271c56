import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { reasonOf } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { acquirer, dispute, openDispute, work, notice, byReference, list } = fixture
const merchant = await fixture.newMerchant()
const { businessId, caller } = merchant

const typesOf = async (id: string) => (await fixture.eventsOfDispute(businessId, id)).map(({ type }) => type)

// Proves reference/disputes#states, reference/disputes#where-disputes-come-from.
test('a notice makes us ask for the dispute, and it is shown with its order', async () => {
  const { booked, orderNumber, uuid } = await dispute(merchant)
  await notice(businessId, booked.reference)
  expect(await byReference(caller, booked.reference)).toBeUndefined()
  await work(businessId)
  const shown = await byReference(caller, booked.reference)
  expect(shown).toMatchObject({
    order_number: orderNumber,
    transaction: { uuid },
    amount: 100,
    currency: 'HKD',
    reason: 'fraudulent',
    state: 'needs_response',
    acquirer_account_id: fixture.account,
    evidence: {},
    submitted_at: null,
  })
  expect(await fixture.get(caller, shown?.id ?? '')).toEqual(shown)
  const [opened] = await fixture.eventsOfDispute(businessId, shown?.id ?? '')
  expect(opened).toEqual({ type: 'dispute.opened', dispute: shown })
})

test('repeated notices change nothing and write no event', async () => {
  const { booked, id } = await openDispute(merchant)
  for (let i = 0; i < 3; i++) await notice(businessId, booked.reference)
  await work(businessId)
  expect(await typesOf(id)).toEqual(['dispute.opened'])
})

test.each([
  ['won', 'needs_response', 'dispute.won'],
  ['lost', 'needs_response', 'dispute.lost'],
  ['inquiry_closed', 'inquiry_needs_response', 'dispute.closed'],
  ['needs_response', 'inquiry_needs_response', 'dispute.updated'],
  ['under_review', 'needs_response', 'dispute.updated'],
] as const)('a dispute that turns to %s is announced once', async (state, before, event) => {
  const { booked, id } = await openDispute(merchant, { state: before })
  booked.state = state
  await notice(businessId, booked.reference)
  await work(businessId)
  expect(await fixture.get(caller, id)).toMatchObject({ state })
  expect(await typesOf(id)).toEqual(['dispute.opened', event])
})

test('a dispute that is already lost at its first notice is opened and lost, and its payment is reported once', async () => {
  const lost: string[] = []
  fixture.disputes.onLost(async (_tx, change) => {
    lost.push(
      `${change.orderNumber} ${change.before?.toString() ?? '0'} to ${change.lost?.toString() ?? '0'}`,
    )
  })
  const { booked, orderNumber, id } = await openDispute(merchant, { state: 'lost' })
  await notice(businessId, booked.reference)
  await work(businessId)
  expect(lost).toEqual([`${orderNumber} 0 to 100.00`])
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.lost'])
})

test('what a payment lost follows each of its disputes, whatever they turn to', async () => {
  fixture.disputes.onLost(fixture.payments.recordLost)
  const { booked, uuid } = await openDispute(merchant, { amount: '30.00', state: 'lost' })
  const second = { ...booked, reference: 'dp_second', amount: '20.00' }
  acquirer.books.set(second.reference, second)
  const lost = async (reference: string) => {
    await notice(businessId, reference)
    await work(businessId)
    const { rows } = await fixture.admin.query<{ lost: bigint | null }>(
      'select lost_minor as lost from transactions where id = $1',
      [uuid],
    )
    return rows[0]?.lost ?? null
  }
  expect(await lost(second.reference)).toBe(5000n)
  booked.amount = '35.00'
  expect(await lost(booked.reference)).toBe(5500n)
  second.state = 'won'
  expect(await lost(second.reference)).toBe(3500n)
  booked.currency = 'USD'
  expect(await lost(booked.reference)).toBe(10000n)
  booked.state = 'needs_response'
  expect(await lost(booked.reference)).toBeNull()
})

test('what a dispute takes is booked when it takes it, and given back when it is won or an inquiry again', async () => {
  const { booked, id, uuid } = await openDispute(merchant, { state: 'inquiry_needs_response' })
  const turnTo = async (changes: Partial<typeof booked>) => {
    Object.assign(booked, changes)
    await notice(businessId, booked.reference)
    await work(businessId)
    const { rows } = await fixture.admin.query<{ amount: bigint }>(
      'select amount_minor as amount from disputed_money where dispute_id = $1 and transaction_id = $2 order by counted_at',
      [id, uuid],
    )
    return rows.map(({ amount }) => Number(amount))
  }
  expect(await turnTo({ state: 'inquiry_under_review' })).toEqual([])
  expect(await turnTo({ state: 'needs_response', amount: '30.00' })).toEqual([-3000])
  expect(await turnTo({ state: 'under_review' })).toEqual([-3000])
  expect(await turnTo({ state: 'lost', amount: '40.00' })).toEqual([-3000, -1000])
  expect(await turnTo({ state: 'won' })).toEqual([-3000, -1000, 4000])
  expect(await turnTo({ state: 'lost', currency: 'USD' })).toEqual([-3000, -1000, 4000, -10000])
  expect(await turnTo({ state: 'inquiry_closed' })).toEqual([-3000, -1000, 4000, -10000, 10000])
})

test('an answer that a newer one has overtaken is not recorded', async () => {
  const { booked, id } = await openDispute(merchant)
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  acquirer.faults.beforeReply = () => {
    acquirer.faults.beforeReply = undefined
    isHeld.resolve()
    return held.promise
  }
  await notice(businessId, booked.reference)
  const slow = work(businessId)
  await isHeld.promise
  booked.state = 'won'
  await notice(businessId, booked.reference)
  await work(businessId)
  expect(await fixture.get(caller, id)).toMatchObject({ state: 'won' })
  held.resolve()
  await slow
  expect(await fixture.get(caller, id)).toMatchObject({ state: 'won' })
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.won'])
})

test('an acquirer that cannot be asked is asked again', async () => {
  const { booked } = await dispute(merchant)
  acquirer.faults.get = 'fail_before'
  await notice(businessId, booked.reference)
  await work(businessId)
  acquirer.faults.get = 'none'
  expect(await byReference(caller, booked.reference)).toBeUndefined()
  await work(businessId, { seconds: 2 })
  expect(await byReference(caller, booked.reference)).toMatchObject({ state: 'needs_response' })
})

test('a notice about a dispute that does not exist is forgotten', async () => {
  await notice(businessId, 'dp_none')
  await work(businessId, { seconds: 2 })
  const { rowCount } = await fixture.admin.query(
    `select from dispute_refreshes where business_id = $1 and reference = 'dp_none'`,
    [businessId],
  )
  expect(rowCount).toBe(0)
})

test('a dispute of a payment that was not made here has no order', async () => {
  const { booked } = await openDispute(merchant, { payment: 'made_elsewhere' })
  expect(await byReference(caller, booked.reference)).toMatchObject({ order_number: null, transaction: null })
})

test('the daily search finds disputes whose notices were missed, page by page', async () => {
  const other = await fixture.newMerchant()
  acquirer.books.clear()
  const missed = []
  for (let day = 1; day <= 5; day++) {
    const openedAt = realClock
      .now()
      .subtract({ hours: 24 * day })
      .toString()
    missed.push(await dispute(other, { openedAt }))
  }
  const longAgo = realClock
    .now()
    .subtract({ hours: 24 * 121 })
    .toString()
  const { booked: old } = await dispute(other, { openedAt: longAgo })
  await fixture.db.transact(other.businessId, (tx) => fixture.disputes.onAccountCreated(tx, fixture.account))
  await work(other.businessId, { hours: 25 })
  const shown = await list(other.caller)
  expect(shown.map((found) => found.acquirer_reference)).toEqual(missed.map(({ booked }) => booked.reference))
  expect(await byReference(other.caller, old.reference)).toBeUndefined()
  const [newest] = missed
  if (newest === undefined) throw new Error('nothing was missed')
  newest.booked.state = 'won'
  await work(other.businessId)
  expect(await byReference(other.caller, newest.booked.reference)).toMatchObject({ state: 'needs_response' })
  await work(other.businessId, { hours: 50 })
  expect(await byReference(other.caller, newest.booked.reference)).toMatchObject({ state: 'won' })
})

test('an open dispute is asked about daily even when it is too old to be listed', async () => {
  const other = await fixture.newMerchant()
  const openedAt = realClock
    .now()
    .subtract({ hours: 24 * 200 })
    .toString()
  const { booked } = await openDispute(other, { openedAt })
  booked.state = 'lost'
  await fixture.db.transact(other.businessId, (tx) => fixture.disputes.onAccountCreated(tx, fixture.account))
  await work(other.businessId, { hours: 25 })
  expect(await byReference(other.caller, booked.reference)).toMatchObject({ state: 'lost' })
})

test('the search of an account that is not active any more ends', async () => {
  const other = await fixture.newMerchant()
  fixture.accounts.length = 0
  await fixture.db.transact(other.businessId, (tx) => fixture.disputes.onAccountCreated(tx, fixture.account))
  await work(other.businessId, { hours: 25 })
  fixture.accounts.push({ id: fixture.account, state: 'active' })
  const { rowCount } = await fixture.admin.query('select from dispute_scans where business_id = $1', [
    other.businessId,
  ])
  expect(rowCount).toBe(0)
})

// Proves reference/disputes#lists.
test('a list is filtered by every field', async () => {
  const other = await fixture.newMerchant()
  const { booked, orderNumber, id } = await openDispute(other, {
    amount: '12.34',
    reason: 'duplicate',
    respondBy: '2031-03-05T10:00:00Z',
  })
  await openDispute(other, { state: 'won', respondBy: null })
  const matching = [
    `id = "${id}"`,
    `order_number = "${orderNumber}"`,
    'state = needs_response',
    'reason = duplicate AND currency = HKD',
    'amount = 12.34',
    'amount < 100',
    'respond_by = "2031-03-05"',
    'respond_by > "2031-03-05T09:59:59Z"',
    'respond_by:*',
  ]
  for (const filter of matching) {
    const found = await list(other.caller, filter)
    expect([filter, found.map((shown) => shown.acquirer_reference)]).toEqual([filter, [booked.reference]])
  }
  expect(await list(other.caller, 'created_at > "2031-01-01"')).toEqual([])
  expect(await reasonOf(list(other.caller, 'paid = 1'))).toBe('invalid_filter')
})

// Proves reference/access#tenants.
test('a dispute of another business does not exist', async () => {
  const { id } = await openDispute(merchant)
  const other = await fixture.newMerchant()
  const { disputes } = fixture
  expect(await reasonOf(disputes.byId(other.caller, id))).toBe('dispute_not_found')
  expect(await reasonOf(disputes.editEvidence(other.caller, id, {}))).toBe('dispute_not_found')
  expect(await reasonOf(disputes.submit(other.caller, id))).toBe('dispute_not_found')
  expect(await list(other.caller)).toEqual([])
})
