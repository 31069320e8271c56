import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { authorizeBatch } from '../decisions/authorize-batch.ts'
import type { FundingPort } from '../model/funding-port.ts'
import { contextOf } from '../module.ts'
import { createFixture } from '../testing/fixture.ts'
import { decisionRequest } from '../testing/decision-request.ts'

/** A wallet in memory. A rollback would not undo its moves, and no test here rolls back. */
const wallet = { available: 10_000n, heldMinor: 0n }
/** The calls of the port, in order. */
let calls: string[] = []
const funding: FundingPort = {
  accepts: async (_tx, walletId, currency) => {
    if (walletId === 'wal_2') return 'no_wallet'
    return currency === 'HKD' ? 'accepted' : 'currency_not_supported'
  },
  lock: async (_tx, walletIds) => {
    calls.push(`lock ${walletIds.toSorted().join(' ')}`)
  },
  hold: async (_tx, { walletId, amountMinor }) => {
    calls.push(`hold ${walletId}`)
    if (amountMinor > wallet.available) return false
    wallet.available -= amountMinor
    wallet.heldMinor += amountMinor
    return true
  },
  move: async (_tx, { walletId, capturedMinor, forcedMinor, releasedMinor, refundedMinor }) => {
    calls.push(`move ${walletId}`)
    wallet.available += releasedMinor + refundedMinor - forcedMinor
    wallet.heldMinor -= capturedMinor + releasedMinor
  },
}

const fixture = await createFixture({ funding })
const { authorize, cards, issue, issueActive, newBusiness } = fixture

// Proves reference/cards#funding.
test('a card is funded only from an existing wallet that accepts its currency', async () => {
  const caller = await newBusiness()
  const param = 'card.funding_wallet_id'
  await expect(issue(caller, { funding_wallet_id: 'wal_2' })).rejects.toMatchObject({
    reason: 'funding_wallet_not_found',
    status: 404,
    detail: { param },
  })
  await expect(
    issue(caller, { funding_wallet_id: 'wal_1', settlement_currency: 'USD' }),
  ).rejects.toMatchObject({
    reason: 'card_funding_not_available',
    status: 422,
    message: 'No wallet currency can fund a card in USD.',
    detail: { param },
  })
  expect(await issue(caller, { funding_wallet_id: 'wal_1' })).toMatchObject({ funding_wallet_id: 'wal_1' })
})

test('every operation moves the wallet by exactly the amount held, released, captured or refunded', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    funding_wallet_id: 'wal_1',
    limits: [{ period: 'Transaction', limit_amount: '99' }],
  })
  const first = await authorize(caller, card.id, '70')
  expect(wallet).toEqual({ available: 3_000n, heldMinor: 7_000n })
  expect((await authorize(caller, card.id, '31')).decline_reason).toBe('insufficient_funds')
  expect((await authorize(caller, card.id, '100')).decline_reason).toBe('limit_exceeded_transaction')
  await cards.reverse(caller, first.uuid, { amount: '10' })
  expect(wallet).toEqual({ available: 4_000n, heldMinor: 6_000n })
  await cards.capture(caller, first.uuid, { amount: '20', final: true })
  expect(wallet).toEqual({ available: 8_000n, heldMinor: 0n })
  await cards.capture(caller, first.uuid, { amount: '5' })
  expect(wallet).toEqual({ available: 7_500n, heldMinor: 0n })
  await cards.refund(caller, first.uuid, {})
  expect(wallet).toEqual({ available: 10_000n, heldMinor: 0n })
  await authorize(caller, card.id, '40')
  await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 169 }))
  expect(wallet).toEqual({ available: 10_000n, heldMinor: 0n })
})

test('a hold that the fallback of the decision hook declines returns to the wallet', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { funding_wallet_id: 'wal_1' })
  await cards.putHook(caller, { url: 'http://127.0.0.1:9/', timeout_ms: 200, on_silence: 'decline' })
  expect((await authorize(caller, card.id, '40')).decline_reason).toBe('hook_error')
  expect(wallet).toEqual({ available: 10_000n, heldMinor: 0n })
})

test('a batch locks all its wallets before it moves money in any of them', async () => {
  const caller = await newBusiness()
  const [one, other] = [
    await issueActive(caller, { funding_wallet_id: 'wal_1' }),
    await issueActive(caller, { funding_wallet_id: 'wal_3' }),
  ]
  calls = []
  await fixture.db.transact(caller.businessId, (tx) =>
    authorizeBatch(contextOf(fixture.deps), tx, [
      decisionRequest(caller, other.id),
      decisionRequest(caller, one.id),
    ]),
  )
  expect(calls).toEqual(['lock wal_1 wal_3', 'hold wal_3', 'hold wal_1'])
  calls = []
  await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 169 }))
  expect(calls).toEqual(['lock wal_1 wal_3', expect.stringMatching('move'), expect.stringMatching('move')])
})
