import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reasonOf } from '#platform/testing/requests'
import { asDispute, createFixture } from '../testing/fixture.ts'

/** Long enough for a busy machine to renew in time. */
const LEASE_MS = 6_000
const fixture = await createFixture({ leaseMs: LEASE_MS })
const { acquirer, disputes, openDispute, stage, work } = fixture
const merchant = await fixture.newMerchant()
const { businessId, caller } = merchant

const sentTo = (reference: string, method: string) =>
  acquirer.requests.filter((line) => line === `${method} /${reference}`).length

const ready = async () => {
  const opened = await openDispute(merchant)
  await stage(caller, opened.id)
  acquirer.requests.length = 0
  return opened
}

/** Looks for work as another process does while the acquirer takes longer than the lease. */
async function besideAnother<Result>(slow: () => Promise<Result>, ofBusiness = businessId): Promise<Result> {
  acquirer.faults.beforeBooking = () => sleep(1.5 * LEASE_MS)
  const outcome = slow()
  const ended = new AbortController()
  void Promise.allSettled([outcome]).then(() => ended.abort())
  while (!ended.signal.aborted) {
    await sleep(LEASE_MS / 8)
    await work(ofBusiness)
  }
  acquirer.faults.beforeBooking = undefined
  return outcome
}

// Proves reference/disputes#submission.
test('evidence whose upload takes longer than the lease is submitted once, and its caller gets the outcome', async () => {
  const { id, booked } = await ready()
  const submitted = asDispute(await besideAnother(() => disputes.submit(caller, id)))
  expect(submitted).toMatchObject({ state: 'under_review', submitted_at: expect.any(String) as string })
  expect([sentTo(booked.reference, 'POST'), sentTo(booked.reference, 'GET')]).toEqual([1, 0])
})

test('a job that submits evidence again does so once, however long the acquirer takes', async () => {
  const { id, booked } = await ready()
  acquirer.faults.submit = 'fail_before'
  expect(await reasonOf(disputes.submit(caller, id))).toBe('submission_unknown')
  acquirer.faults.submit = 'none'
  acquirer.requests.length = 0
  await sleep(1_000)
  await besideAnother(() => work(businessId))
  expect(await fixture.get(caller, id)).toMatchObject({ state: 'under_review' })
  expect([sentTo(booked.reference, 'POST'), sentTo(booked.reference, 'GET')]).toEqual([1, 1])
})

test('an acquirer that takes longer than the lease is asked for a dispute once', async () => {
  const { booked } = await fixture.dispute(merchant)
  await fixture.notice(businessId, booked.reference)
  await besideAnother(() => work(businessId))
  expect(sentTo(booked.reference, 'GET')).toBe(1)
  expect(await fixture.byReference(caller, booked.reference)).toMatchObject({ state: 'needs_response' })
})

test('an acquirer that takes longer than the lease is asked for a page of disputes once', async () => {
  const other = await fixture.newMerchant()
  await fixture.db.transact(other.businessId, (tx) => fixture.disputes.onAccountCreated(tx, fixture.account))
  await fixture.admin.query('update dispute_scans set due_at = now() where business_id = $1', [
    other.businessId,
  ])
  acquirer.requests.length = 0
  acquirer.books.clear()
  await besideAnother(() => work(other.businessId), other.businessId)
  expect(acquirer.requests).toEqual(['GET /'])
})
