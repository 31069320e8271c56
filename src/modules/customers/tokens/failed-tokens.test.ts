import { expect, test } from 'vitest'
import { eventsOf } from '#platform/testing/events'
import { verifyCustomers } from '../audit/verify.ts'
import { bindCard, createFixture, newCustomer, tokensOf } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, customers, db } = fixture
const DECLINED = '4000000000000002'

async function insertFailedTokens(businessId: string, customerUuid: string, count: number): Promise<void> {
  await admin.query(
    `insert into payment_tokens (business_id, token, customer_uuid, token_type, state, verify_uuid, created_at, updated_at)
     select $1, 'pmt_failed' || i, $2, 'WalletBAutoDebit', 'failed', 'vrf_failed' || i, at, at
       from generate_series(1, $3) as i cross join lateral (select now() - i * interval '1 minute' as at) a`,
    [businessId, customerUuid, count],
  )
}

// Proves reference/customers#token-limit, reference/customers#payment-tokens.
test('failed tokens do not use up the limit of a customer, and the newest 100 are listed', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await insertFailedTokens(businessId, uuid, 150)
  const { token } = await bindCard(fixture, caller, uuid)
  const listed = (await tokensOf(fixture, caller, uuid)).map((one) => one.token)
  const newest = Array.from({ length: 100 }, (_, index) => `pmt_failed${index + 1}`)
  expect(listed).toEqual([token, ...newest])
})

test('a failed token is listed for 30 days and then purged, and its events stay', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const good = await bindCard(fixture, caller, uuid)
  const failed = await bindCard(fixture, caller, uuid, DECLINED)
  const breaches = () => Array.fromAsync(verifyCustomers(db)(businessId))
  await fixture.advance(businessId, { hours: 30 * 24 - 1 })
  expect((await tokensOf(fixture, caller, uuid)).map(({ token }) => token)).toEqual([
    failed.token,
    good.token,
  ])
  expect(await breaches()).toEqual([])
  await fixture.advance(businessId, { hours: 2 })
  expect((await tokensOf(fixture, caller, uuid)).map(({ token }) => token)).toEqual([good.token])
  expect((await admin.query('select 1 from payment_tokens where token = $1', [failed.token])).rows).toEqual(
    [],
  )
  expect(await eventsOf(db, businessId, failed.token)).toMatchObject([{ type: 'payment_token.failed' }])
  expect(await breaches()).toEqual([])
  await expect(customers.deleteToken(caller, uuid, failed.token)).rejects.toMatchObject({ status: 404 })
  const link = { businessId, id: failed.verify_uuid }
  await expect(customers.viewVerification(link)).rejects.toMatchObject({ status: 404 })
})

test('a failed token that nothing would purge is found by verify', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const { token } = await bindCard(fixture, caller, uuid, DECLINED)
  await admin.query('delete from next_runs where business_id = $1', [businessId])
  expect(await Array.fromAsync(verifyCustomers(db)(businessId))).toMatchObject([
    { rule: 'due_work_has_a_head', object: token },
  ])
})

test('the purge deletes failed tokens in batches', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await insertFailedTokens(businessId, uuid, 2_500)
  const until = Temporal.Now.instant().add({ hours: 31 * 24 })
  const run = { businessId, until, timeOf: () => until }
  const purge = customers.jobs.find(({ name }) => name === 'failed_payment_token_purge')
  const done = [await purge?.run(run), await purge?.run(run), await purge?.run(run), await purge?.run(run)]
  expect(done).toEqual([1_000, 1_000, 500, 0])
})
