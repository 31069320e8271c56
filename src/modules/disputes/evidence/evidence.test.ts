import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import { reasonOf, withKey } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { disputes, openDispute } = fixture
const merchant = await fixture.newMerchant()
const { caller } = merchant

const pdf = (bytes: number) => ({
  name: 'receipt.pdf',
  content_type: 'application/pdf',
  content: Buffer.alloc(bytes, 1).toString('base64'),
})

const refusal = async (work: Promise<unknown>) => {
  const error = (await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as RequestError | undefined
  return error && { status: error.status, reason: error.reason, param: error.detail.param }
}

// Proves reference/disputes#evidence.
test('members are merged one by one, and null removes one', async () => {
  const { id } = await openDispute(merchant)
  await disputes.editEvidence(caller, id, { uncategorized_text: 'First.', receipt: pdf(1_000) })
  await disputes.editEvidence(caller, id, { customer_name: 'Chan', uncategorized_text: 'Second.' })
  const receipt = { name: 'receipt.pdf', content_type: 'application/pdf', size: 1_000 }
  expect((await fixture.get(caller, id)).evidence).toEqual({
    customer_name: 'Chan',
    receipt,
    uncategorized_text: 'Second.',
  })
  await disputes.editEvidence(caller, id, { receipt: null, uncategorized_file: null })
  expect((await fixture.get(caller, id)).evidence).toEqual({
    customer_name: 'Chan',
    uncategorized_text: 'Second.',
  })
})

test('staging sends the acquirer nothing and writes no event', async () => {
  const { id, booked } = await openDispute(merchant)
  fixture.acquirer.requests.length = 0
  await fixture.stage(caller, id)
  expect(fixture.acquirer.requests).toEqual([])
  expect(booked.evidence.texts).toEqual({})
  const events = await fixture.eventsOfDispute(merchant.businessId, id)
  expect(events.map(({ type }) => type)).toEqual(['dispute.opened'])
})

test('a name that the acquirer does not take is refused with the member, and nothing is staged', async () => {
  const { id } = await openDispute(merchant)
  const edit = (evidence: Parameters<typeof disputes.editEvidence>[2]) =>
    refusal(disputes.editEvidence(caller, id, { customer_name: 'Chan', ...evidence }))
  const taken = { status: 422, reason: 'evidence_not_taken' }
  expect(await edit({ shoe_size: '42' })).toEqual({ ...taken, param: 'evidence.shoe_size' })
  expect(await edit({ shoe_size: null })).toEqual({ ...taken, param: 'evidence.shoe_size' })
  expect(await edit({ receipt: 'a text' })).toEqual({ ...taken, param: 'evidence.receipt' })
  expect(await edit({ uncategorized_text: pdf(1) })).toEqual({
    ...taken,
    param: 'evidence.uncategorized_text',
  })
  expect((await fixture.get(caller, id)).evidence).toEqual({})
})

test('files have 5 MB and texts 150,000 characters in total, over all requests', async () => {
  const { id } = await openDispute(merchant)
  await disputes.editEvidence(caller, id, { receipt: pdf(4_000_000), customer_name: 'x'.repeat(100_000) })
  expect(await reasonOf(disputes.editEvidence(caller, id, { uncategorized_file: pdf(1_000_001) }))).toBe(
    'evidence_too_large',
  )
  expect(await reasonOf(disputes.editEvidence(caller, id, { uncategorized_text: 'x'.repeat(50_001) }))).toBe(
    'evidence_too_large',
  )
  await disputes.editEvidence(caller, id, {
    uncategorized_file: pdf(1_000_000),
    uncategorized_text: 'x'.repeat(50_000),
  })
  await disputes.editEvidence(caller, id, { receipt: pdf(4_000_000) })
})

test('evidence is refused once the deadline has passed or the acquirer waits for none', async () => {
  const late = await openDispute(merchant, { respondBy: realClock.now().toString() })
  expect(await reasonOf(fixture.stage(caller, late.id))).toBe('dispute_deadline_passed')
  expect(await reasonOf(disputes.submit(caller, late.id))).toBe('dispute_deadline_passed')
  for (const state of ['won', 'lost', 'under_review', 'inquiry_closed'] as const) {
    const { id } = await openDispute(merchant, { state })
    expect(await reasonOf(fixture.stage(caller, id))).toBe('dispute_not_open')
    expect(await reasonOf(disputes.submit(caller, id))).toBe('dispute_not_open')
  }
})

test('an Idempotency-Key stages once, and a replay shows the first reply', async () => {
  const { id } = await openDispute(merchant)
  const keyed = withKey(caller, 'stage-once')
  await disputes.editEvidence(keyed, id, { customer_name: 'Chan' })
  await disputes.editEvidence(caller, id, { customer_name: 'Wong' })
  const replay = disputes.editEvidence(keyed, id, { customer_name: 'Chan' })
  await expect(replay).rejects.toMatchObject({ status: 200, body: expect.stringContaining('Chan') as string })
  expect((await fixture.get(caller, id)).evidence).toEqual({ customer_name: 'Wong' })
})
