import { pino } from 'pino'
import { expect, test } from 'vitest'
import { JobRunner } from '#platform/jobs/jobs'
import { withKey } from '#platform/testing/requests'
import { eventsOf, eventTypesOf } from '#platform/testing/events'
import { eventually } from '#platform/testing/until'
import { bindCard, cardRequest, createFixture, newCustomer, tokensOf } from '../testing/fixture.ts'
import { initiateBinding } from './bind-token.ts'

const fixture = await createFixture()
const { admin, customers, db, simulator } = fixture

async function expireLease(token: string): Promise<void> {
  await admin.query(`update payment_tokens set leased_until = now() - interval '1 s' where token = $1`, [
    token,
  ])
}

// Proves reference/customers#binding, reference/customers#payment-tokens, reference/customers#default-token, reference/customers#token-limit, reference/customers#token-states.
test('a good card becomes the active default token, is shown masked and writes an event with its customer', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid)
  expect(token).toMatchObject({
    token_type: 'CreditCard',
    state: 'active',
    default: true,
    verify_url: null,
    credit_card: {
      number: '424242******4242',
      exp_month: '07',
      exp_year: '2040',
      holder_name: 'Ada Lovelace',
      brand: 'visa',
      billing_currency: 'HKD',
    },
  })
  expect(token.verify_uuid).toMatch(/^vrf_/)
  expect(await tokensOf(fixture, caller, uuid)).toEqual([token])
  const events = await eventsOf(db, caller.businessId, token.token)
  expect(events).toMatchObject([{ type: 'payment_token.active', sequence: 1 }])
  expect(JSON.parse(events[0]?.data ?? '')).toEqual({ payment_token: { ...token, customer_uuid: uuid } })
})

test('an Amex number keeps its length when it is masked', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '378282246310005')
  expect(token.credit_card).toMatchObject({ number: '378282*****0005', brand: 'amex' })
})

test('a declined card becomes a failed token with the reason, without a card number and never the default', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000000000000002')
  expect(token).toMatchObject({
    state: 'failed',
    default: false,
    verify_url: null,
    error_code: 'card_declined',
  })
  expect(token.error_msg).not.toBe('')
  expect(await eventTypesOf(db, caller.businessId, token.token)).toEqual(['payment_token.failed'])
  const stored = await admin.query('select sealed_number from payment_tokens where token = $1', [token.token])
  expect(stored.rows).toEqual([{ sealed_number: null }])
})

test('wallets can be bound, and so can cards that are declined only when they are charged', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  for (const number of ['4000000000000341', '4000000000009995', '4000000000000119', '4000000000000127']) {
    expect((await bindCard(fixture, caller, uuid, number)).state).toBe('active')
  }
  for (const tokenType of ['WalletAPayAutoDebit', 'WalletBAutoDebit'] as const) {
    const { payment_token: token } = await customers.bind(caller, uuid, { token_type: tokenType })
    expect(token).toMatchObject({ token_type: tokenType, state: 'active' })
    expect(token).not.toHaveProperty('credit_card')
  }
  const walletB = await customers.tokens(caller, uuid, 'WalletB')
  expect(walletB.payment_tokens).toMatchObject([{ token_type: 'WalletBAutoDebit' }])
})

test('a 3-D Secure card waits for the payer, and the job finds the confirmation', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000002500003155', {
    return_url: 'https://shop.test/back?a=1',
  })
  expect(token).toMatchObject({ state: 'pending', default: false })
  expect(token.verify_url).toContain(token.verify_uuid)
  const link = { businessId, id: token.verify_uuid }
  expect(await customers.viewVerification(link)).toMatchObject({
    state: 'pending',
    confirmUrl: `${simulator.url}/payments/${token.verify_uuid}/page`,
    brand: 'visa',
  })

  const confirmed = await fetch(`${simulator.url}/payments/${token.verify_uuid}/confirm`, { method: 'POST' })
  expect(confirmed.status).toBe(200)
  await fixture.advance(businessId, { seconds: 2 })
  const [bound] = await tokensOf(fixture, caller, uuid)
  expect(bound).toMatchObject({
    state: 'active',
    default: true,
    verify_url: null,
    verify_uuid: token.verify_uuid,
  })
  expect(await eventTypesOf(db, businessId, token.token)).toEqual(['payment_token.active'])
  const after = await customers.viewVerification(link)
  expect(after).toMatchObject({ state: 'active', confirmUrl: null })
  expect(after.returnUrl).toBe(`https://shop.test/back?a=1&verify_uuid=${token.verify_uuid}&state=active`)
})

test('the page shows the confirmation as soon as the payer returns', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000002500003155')
  await fetch(`${simulator.url}/payments/${token.verify_uuid}/confirm`, { method: 'POST' })
  expect(await customers.viewVerification({ businessId, id: token.verify_uuid })).toMatchObject({
    state: 'active',
  })
})

test('a running service finds a confirmation by itself', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000002500003155')
  await fetch(`${simulator.url}/payments/${token.verify_uuid}/confirm`, { method: 'POST' })
  const log = pino({ level: 'silent' })
  const runner = new JobRunner({ db: fixture.db, jobs: customers.jobs, log })
  runner.start()
  await expect.poll(() => tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'active', default: true }])
  await runner.stop()
})

test('a token fails when the payer does not confirm it within 24 hours', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000002500003155')
  await fixture.advance(businessId, { hours: 23 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'pending' }])
  await fixture.advance(businessId, { hours: 2 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'failed', error_code: 'expired' }])
  const late = await fetch(`${simulator.url}/payments/${token.verify_uuid}/confirm`, { method: 'POST' })
  expect(late.ok).toBe(false)
})

test('a token stays pending after a lost answer until an inquiry finds the outcome', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await fixture.setFaults({ lose_answer: 1 })
  const token = await bindCard(fixture, caller, uuid)
  await fixture.setFaults({})
  expect(token).toMatchObject({ state: 'pending' })
  expect(await eventsOf(db, businessId, token.token)).toEqual([])
  await fixture.advance(businessId, { seconds: 1 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'active', default: true }])
})

test('a verification that never reached the acquirer is closed and fails', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await fixture.setFaults({ fail_before: 1 })
  const token = await bindCard(fixture, caller, uuid)
  await fixture.setFaults({})
  expect(token).toMatchObject({ state: 'pending' })
  await fixture.advance(businessId, { seconds: 1 })
  const failed = { state: 'failed', error_code: 'verification_not_processed' }
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([failed])
})

test('the job completes a binding after a crash, and the Idempotency-Key gets its response', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const keyed = withKey(caller, 'crash')
  const initiated = await initiateBinding(fixture.ctx, keyed, uuid, cardRequest('4242424242424242'))
  const retry = () => customers.bind(keyed, uuid, cardRequest('4242424242424242'))
  await expect(retry()).rejects.toMatchObject({ reason: 'idempotency_key_in_use' })
  // The acquirer verified the card before the crash.
  await initiated.acquirer.verify(initiated.verification)
  await expireLease(initiated.token.token)
  await fixture.advance(businessId, { seconds: 30 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([
    { token: initiated.token.token, state: 'active' },
  ])
  await expect(retry()).rejects.toMatchObject({ name: 'StoredReply', status: 200 })
  expect(await eventsOf(db, businessId, initiated.token.token)).toMatchObject([{ sequence: 1 }])
})

test('no process takes over a binding before its lease has ended', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const initiated = await initiateBinding(fixture.ctx, caller, uuid, cardRequest('4242424242424242'))
  const until = initiated.token.createdAt.add({ hours: 1 })
  expect(await fixture.bindingInquiries.run({ businessId, until, timeOf: (dueAt) => dueAt })).toBe(0)
  await expireLease(initiated.token.token)
  expect(await fixture.bindingInquiries.run({ businessId, until, timeOf: (dueAt) => dueAt })).toBe(1)
})

test('an advancing clock waits for a running binding', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await fixture.setFaults({ latency_ms: 700 })
  const binding = bindCard(fixture, caller, uuid)
  await eventually(
    () => tokensOf(fixture, caller, uuid),
    (tokens) => tokens.length > 0,
  )
  await fixture.advance(businessId, { hours: 1 })
  await fixture.setFaults({})
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'active' }])
  expect((await binding).state).toBe('active')
})

test('the same Idempotency-Key binds once, however often it is sent', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const keyed = withKey(caller, 'k1')
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, () => customers.bind(keyed, uuid, cardRequest('4242424242424242'))),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  const [bound, ...others] = await tokensOf(fixture, caller, uuid)
  expect(others).toEqual([])
  const replay = await customers
    .bind(keyed, uuid, cardRequest('4242424242424242'))
    .catch((error: { name: string; status: number; body: string }) => error)
  expect(replay).toMatchObject({ name: 'StoredReply', status: 200 })
  expect(JSON.parse('body' in replay ? replay.body : '')).toMatchObject({ data: { payment_token: bound } })
  const other = withKey(caller, 'k1', 'another body')
  await expect(customers.bind(other, uuid, cardRequest('4242424242424242'))).rejects.toMatchObject({
    status: 422,
  })
})

test('a customer never has more than 100 tokens, however many are bound at once', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const first = await bindCard(fixture, caller, uuid)
  await admin.query(
    `insert into payment_tokens (business_id, token, customer_uuid, token_type, state, verify_uuid, created_at, updated_at)
     select $1, 'pmt_filled' || i, $2, 'WalletBAutoDebit', 'active', 'vrf_filled' || i, now(), now()
       from generate_series(1, 94) as i`,
    [businessId, uuid],
  )
  const results = await Promise.allSettled(Array.from({ length: 15 }, () => bindCard(fixture, caller, uuid)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5)
  for (const result of results) {
    if (result.status === 'rejected') {
      expect(result.reason).toMatchObject({ reason: 'too_many_payment_tokens', status: 422 })
    }
  }
  await customers.deleteToken(caller, uuid, first.token)
  expect((await bindCard(fixture, caller, uuid)).state).toBe('active')
})

test('exactly one of several concurrently bound tokens becomes the default', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await Promise.all(Array.from({ length: 8 }, () => bindCard(fixture, caller, uuid)))
  const tokens = await tokensOf(fixture, caller, uuid)
  expect(tokens).toHaveLength(8)
  expect(tokens.filter((token) => token.default)).toHaveLength(1)
})

test('the caller chooses the default, and deleting the default leaves none', async () => {
  const { caller } = await fixture.business()
  const { uuid, reference_number: reference } = await newCustomer(fixture, caller)
  expect(await bindCard(fixture, caller, uuid, undefined, { default: false })).toMatchObject({
    default: false,
  })
  const chosen = await bindCard(fixture, caller, uuid, undefined, { default: true })
  expect(chosen.default).toBe(true)
  expect(await bindCard(fixture, caller, uuid)).toMatchObject({ default: false })
  const before = await customers.byReference(caller, reference)
  expect(before.customer).toMatchObject({ default_payment_token: { token: chosen.token } })
  const { payment_token: deleted } = await customers.deleteToken(caller, uuid, chosen.token)
  expect(deleted).toMatchObject({ state: 'deleted', default: false })
  expect((await customers.byReference(caller, reference)).customer).not.toHaveProperty(
    'default_payment_token',
  )
  expect((await tokensOf(fixture, caller, uuid)).map((token) => token.token)).not.toContain(chosen.token)
  await expect(customers.deleteToken(caller, uuid, chosen.token)).rejects.toMatchObject({ status: 404 })
})

test('a card that was deleted while it waited for the payer stays deleted', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const token = await bindCard(fixture, caller, uuid, '4000002500003155')
  await customers.deleteToken(caller, uuid, token.token)
  await fetch(`${simulator.url}/payments/${token.verify_uuid}/confirm`, { method: 'POST' })
  await fixture.advance(businessId, { hours: 25 })
  expect(await customers.viewVerification({ businessId, id: token.verify_uuid })).toMatchObject({
    state: 'deleted',
  })
  expect(await eventsOf(db, businessId, token.token)).toEqual([])
})

test('a card expires at the end of its last month in the zone of the business', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const now = await fixture.db.transact(businessId, async (tx) => tx.now.toZonedDateTimeISO('Asia/Hong_Kong'))
  const request = cardRequest('4242424242424242')
  if (request.credit_card === undefined) throw new Error('no card')
  const last = now.add({ months: 1 })
  const nextMonth = { exp_month: String(last.month), exp_year: String(last.year) }
  await customers.bind(caller, uuid, { ...request, credit_card: { ...request.credit_card, ...nextMonth } })
  const end = last.with({ day: 1 }).startOfDay().add({ months: 1 })
  await fixture.advance(businessId, { milliseconds: end.epochMilliseconds - now.epochMilliseconds - 60_000 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'active' }])
  await fixture.advance(businessId, { minutes: 2 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([{ state: 'expired', default: true }])
  // An expired token does not count as active, so the next one is the first.
  expect(await bindCard(fixture, caller, uuid)).toMatchObject({ state: 'active', default: true })
})

test('a card that is confirmed after its last month fails and never becomes the default', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const now = await fixture.db.transact(businessId, async (tx) => tx.now.toZonedDateTimeISO('Asia/Hong_Kong'))
  const last = now.add({ months: 1 })
  const end = last.with({ day: 1 }).startOfDay().add({ months: 1 })
  await fixture.advance(businessId, { milliseconds: end.epochMilliseconds - now.epochMilliseconds - 60_000 })
  const request = cardRequest('4000002500003155')
  if (request.credit_card === undefined) throw new Error('no card')
  const month = { exp_month: String(last.month), exp_year: String(last.year) }
  const bound = await customers.bind(caller, uuid, {
    ...request,
    credit_card: { ...request.credit_card, ...month },
  })
  const { token, verify_uuid: verifyUuid } = bound.payment_token
  await fixture.advance(businessId, { minutes: 2 })
  await fetch(`${simulator.url}/payments/${verifyUuid}/confirm`, { method: 'POST' })
  await fixture.advance(businessId, { hours: 2 })
  expect(await tokensOf(fixture, caller, uuid)).toMatchObject([
    { state: 'failed', default: false, error_code: 'expired_card' },
  ])
  expect(await eventTypesOf(db, businessId, token)).toEqual(['payment_token.failed'])
})
