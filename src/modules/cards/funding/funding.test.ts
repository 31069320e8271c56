import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { decideBatch } from '../decisions/decide-batch.ts'
import type { FundingPort } from './funding-port.ts'
import { createFixture } from '../testing/fixture.ts'
import { decisionRequest } from '../testing/decision-request.ts'

/** A wallet in memory: what is available and what is set aside. Its moves are not undone by a rollback, and none happens here. */
const wallet = { available: 10_000n, heldMinor: 0n }
/** What was asked, in order. */
let asked: string[] = []
const funding: FundingPort = {
  accepts: async (_tx, walletId, currency) => {
    if (walletId === 'wal_2') return 'no_wallet'
    return currency === 'HKD' ? 'accepted' : 'currency_not_supported'
  },
  lock: async (_tx, walletIds) => {
    asked.push(`lock ${walletIds.toSorted().join(' ')}`)
  },
  hold: async (_tx, { walletId, amountMinor }) => {
    asked.push(`hold ${walletId}`)
    if (amountMinor > wallet.available) return false
    wallet.available -= amountMinor
    wallet.heldMinor += amountMinor
    return true
  },
  move: async (_tx, { walletId, capturedMinor, forcedMinor, releasedMinor, refundedMinor }) => {
    asked.push(`move ${walletId}`)
    wallet.available += releasedMinor + refundedMinor - forcedMinor
    wallet.heldMinor -= capturedMinor + releasedMinor
  },
}

const fixture = await createFixture({ funding })
const { authorize, cards, issue, issueActive, newBusiness } = fixture

test('a card is funded only from a wallet that is there and can', async () => {
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
    message: 'No currency of a wallet funds cards in USD.',
    detail: { param },
  })
  expect(await issue(caller, { funding_wallet_id: 'wal_1' })).toMatchObject({ funding_wallet_id: 'wal_1' })
})

test('every operation moves the wallet by exactly what it holds, releases, takes or gives back', async () => {
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

test('what the hook declines is given back to the wallet', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { funding_wallet_id: 'wal_1' })
  await cards.putHook(caller, { url: 'http://127.0.0.1:9/', timeout_ms: 200, on_silence: 'decline' })
  expect((await authorize(caller, card.id, '40')).decline_reason).toBe('hook_declined')
  expect(wallet).toEqual({ available: 10_000n, heldMinor: 0n })
})

test('a batch locks all its wallets before it moves the money of any', async () => {
  const caller = await newBusiness()
  const [one, other] = [
    await issueActive(caller, { funding_wallet_id: 'wal_1' }),
    await issueActive(caller, { funding_wallet_id: 'wal_3' }),
  ]
  asked = []
  await fixture.db.transact(caller.businessId, (tx) =>
    decideBatch(fixture.deps, tx, [decisionRequest(caller, other.id), decisionRequest(caller, one.id)]),
  )
  expect(asked).toEqual(['lock wal_1 wal_3', 'hold wal_3', 'hold wal_1'])
  asked = []
  await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 169 }))
  expect(asked).toEqual(['lock wal_1 wal_3', expect.stringMatching('move'), expect.stringMatching('move')])
})
