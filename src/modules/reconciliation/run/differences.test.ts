import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { newOrder, pay } from '../../payments/testing/fixture.ts'
import { moveToAccount } from '../../payments/testing/real-account.ts'
import { verifyReconciliations } from '../audit/verify.ts'
import { settledDays } from '../storage/day.repository.ts'
import { ACCOUNT } from '../testing/planted-books.ts'
import { createFixture, line } from '../testing/fixture.ts'

const fixture = await createFixture({ lines: 0, every: 100 })
const { admin, server, all, list } = fixture

const shop = async () => {
  server.extra.length = 0
  const merchant = await fixture.newMerchant()
  await fixture.db.transact(merchant.businessId, (tx) =>
    fixture.reconciliations.onAccountCreated(tx, ACCOUNT),
  )
  return merchant
}

/** A payment of the account, which the acquirer has no line for. */
const payment = async (merchant: Awaited<ReturnType<typeof shop>>) => {
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  await moveToAccount(admin, merchant.businessId, ACCOUNT, transaction.uuid)
  return { number, uuid: transaction.uuid, reference: transaction.payment_data['new_gateway_txn_id'] ?? '' }
}

// Proves reference/reconciliation#results.
test('a transaction without a line is missing there until its line comes', async () => {
  const merchant = await shop()
  const { number, uuid, reference } = await payment(merchant)
  await fixture.run(merchant)
  expect(await all(merchant.caller)).toMatchObject([
    {
      id: uuid,
      result: 'missing_there',
      type: 'payment',
      acquirer_reference: reference,
      gross: 100,
      order_number: number,
      transaction: { uuid },
    },
  ])
  server.extra.push(line({ reference, grossMinor: 10_000n, feeMinor: 340n }))
  await fixture.run(merchant)
  const [found, ...others] = await all(merchant.caller)
  expect(found).toMatchObject({ result: 'matched', fee: 3.4, transaction: { uuid }, order_number: number })
  expect(others).toEqual([])
  const totals = (await list(merchant.caller)).flatMap((shown) => shown.totals)
  expect(totals).toMatchObject([{ result: 'matched', count: 1, gross: 100, fee: 3.4, net: 96.6 }])
})

test('a line without a transaction is missing here until the outcome of its payment is known', async () => {
  const merchant = await shop()
  const { uuid, reference } = await payment(merchant)
  const { rows } = await admin.query<{ succeeded_at: Date }>(
    `update transactions set state = 'unknown', succeeded_at = null where id = $1 returning created_at as succeeded_at`,
    [uuid],
  )
  server.extra.push(line({ reference }))
  await fixture.run(merchant)
  expect(await all(merchant.caller)).toMatchObject([{ result: 'missing_here', transaction: null }])
  await admin.query(`update transactions set state = 'succeeded', succeeded_at = $2 where id = $1`, [
    uuid,
    rows[0]?.succeeded_at,
  ])
  await fixture.run(merchant)
  expect(await all(merchant.caller)).toMatchObject([{ result: 'matched', transaction: { uuid } }])
})

test('a transaction that is voided after it was found missing is missing no longer', async () => {
  const merchant = await shop()
  const { uuid } = await payment(merchant)
  await fixture.run(merchant)
  expect(await all(merchant.caller)).toHaveLength(1)
  await admin.query(`update transactions set state = 'voided' where id = $1`, [uuid])
  await fixture.run(merchant)
  expect(await all(merchant.caller)).toEqual([])
  expect((await list(merchant.caller)).flatMap((shown) => shown.totals)).toEqual([])
})

test('a transaction that succeeds on a clock that was moved is looked for, once', async () => {
  const merchant = await shop()
  await fixture.run(merchant)
  await fixture.advance(merchant.businessId, { hours: 24 * 40 })
  const { uuid } = await payment(merchant)
  for (let runs = 0; runs < 2; runs++) {
    await fixture.run(merchant)
    expect(await all(merchant.caller)).toMatchObject([{ id: uuid, result: 'missing_there' }])
  }
})

// Proves reference/reconciliation#fees-of-days.
test('fees count on the local day of their payment, once it is known, and else on that of the line', async () => {
  const merchant = await shop()
  const days = () =>
    fixture.db.transact(merchant.businessId, (tx) =>
      settledDays(tx, { from: '2020-01-01', to: '2040-01-01' }),
    )
  const { uuid, reference } = await payment(merchant)
  const succeed = (at: string | null) =>
    admin.query('update transactions set state = $2, succeeded_at = $3 where id = $1', [
      uuid,
      at === null ? 'unknown' : 'succeeded',
      at,
    ])
  await succeed(null)
  const booked = { createdAt: Temporal.Instant.from('2031-03-04T18:00:00Z') }
  server.extra.push(
    line({ ...booked, reference, feeMinor: 340n }),
    line({ ...booked, type: 'fee', grossMinor: 0n, netMinor: -50n, currency: 'USD' }),
  )
  await fixture.run(merchant)
  const fee = { currency: 'USD', day: '2031-03-05', fee: 50n, paid: 0n }
  expect(await days()).toEqual([{ currency: 'HKD', day: '2031-03-05', fee: 340n, paid: 0n }, fee])
  await succeed('2031-03-01T15:59:59Z')
  await fixture.run(merchant)
  expect((await days()).filter(({ fee: kept, paid }) => kept !== 0n || paid !== 0n)).toEqual([
    { currency: 'HKD', day: '2031-03-01', fee: 340n, paid: 10_000n },
    fee,
  ])
  expect(await all(merchant.caller, 'matched')).toHaveLength(1)
  const breaches = await Array.fromAsync(verifyReconciliations(fixture.db)(merchant.businessId))
  expect(breaches.filter(({ rule }) => rule === 'settled_days_add_up')).toEqual([])
})

// Proves reference/reconciliation#disputes-in-the-books.
test('a lost dispute and its fee are in the books, and one without a line is missing there', async () => {
  const merchant = await shop()
  const { uuid, reference: charge, number } = await payment(merchant)
  const dispute = async (reference: string, state: 'lost' | 'won') => {
    fixture.acquirer.books.set(reference, {
      reference,
      payment: charge,
      amount: '100.00',
      currency: 'HKD',
      reason: 'fraudulent',
      state,
      respondBy: null,
      openedAt: realClock.now().add({ seconds: 1 }).toString(),
      submittedUnder: null,
      evidence: { texts: {}, files: {} },
    })
    await fixture.db.transact(merchant.businessId, (tx) => fixture.disputes.onNotice(tx, ACCOUNT, reference))
  }
  await dispute('dp_booked', 'lost')
  await dispute('dp_missing', 'lost')
  await dispute('dp_won', 'won')
  const now = realClock.now()
  for (const job of fixture.disputes.jobs) {
    await job.run({ businessId: merchant.businessId, until: now, timeOf: () => now })
  }
  const withdrawn = { type: 'dispute', acquirerType: 'adjustment', grossMinor: -10_000n } as const
  server.extra.push(
    line({ reference: charge }),
    line({ ...withdrawn, id: 'line_booked', reference: 'dp_booked', feeMinor: 8_500n, netMinor: -18_500n }),
    line({ ...withdrawn, id: 'line_other', reference: 'dp_won', grossMinor: -9_000n, netMinor: -9_000n }),
    line({ ...withdrawn, id: 'line_unknown', reference: 'dp_unknown' }),
  )
  await fixture.run(merchant)
  const found = await all(merchant.caller)
  const ofId = (id: string) => found.find((entry) => entry.id === id)
  expect(ofId('line_booked')).toMatchObject({ result: 'matched', fee: 85, order_number: number })
  expect(ofId('line_other')).toMatchObject({
    result: 'different_amount',
    expected: { currency: 'HKD', amount: 100 },
  })
  expect(ofId('line_unknown')).toMatchObject({ result: 'missing_here', dispute: null })
  expect(found.filter(({ result }) => result === 'missing_there')).toMatchObject([
    { type: 'dispute', acquirer_reference: 'dp_missing', gross: -100, order_number: number },
  ])
  expect(found.filter(({ transaction }) => transaction?.uuid === uuid)).toHaveLength(1)
  const day = (await list(merchant.caller)).find(({ fees }) => fees.length > 0)
  expect(day?.fees).toEqual([{ currency: 'HKD', amount: 85 }])
})
