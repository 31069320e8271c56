import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { adminOf, untilWaiting } from '#platform/testing/database'
import { post } from '../storage/ledger.repository.ts'
import { asset, testChain } from '../testing/chains.ts'
import { balancesOf, createFixture, newWallet, type ShownWallet } from '../testing/fixture.ts'

const fixture = await createFixture()
const chains = [
  testChain(['http://127.0.0.1:1'], {
    tokens: [
      asset('USDC', 6, '0x00000000000000000000000000000000000000A1'),
      asset('USDT', 18, '0x00000000000000000000000000000000000000A2'),
    ],
  }),
]
const wallets = fixture.createWallets(chains)
const { funding } = wallets

/** Posts the amounts like deposits. */
async function fundedWallet(caller: Caller, amounts: Record<string, string>): Promise<ShownWallet> {
  const wallet = await newWallet(wallets, caller, newId('usr'))
  await fixture.db.transact(caller.businessId, async (tx) => {
    const postings = Object.entries(amounts).map(([currency, amount]) => ({
      id: newId('post'),
      objectId: 'opening',
      reason: 'deposit' as const,
      entries: [
        { owner: wallet.id, kind: 'available' as const, currency, amount },
        { owner: 'chain:anvil', kind: 'custody' as const, currency, amount: `-${amount}` },
      ],
    }))
    await post(tx, postings, tx.now)
  })
  return wallet
}

const usd = (walletId: string, authorizationUuid: string, amountMinor: bigint) => ({
  walletId,
  authorizationUuid,
  currency: 'USD',
  amountMinor,
})

const NOTHING = { capturedMinor: 0n, forcedMinor: 0n, releasedMinor: 0n, refundedMinor: 0n }
const usdMove = (walletId: string, authorizationUuid: string, moved: Partial<typeof NOTHING>) => ({
  walletId,
  authorizationUuid,
  currency: 'USD',
  ...NOTHING,
  ...moved,
})

async function shown(caller: Caller, wallet: ShownWallet) {
  const page = { list: 'wallet_transactions', offset: 0, limit: 1, after: undefined }
  const { digital_wallets } = await wallets.list(caller, wallet.p_user_id, page)
  return digital_wallets[0]?.balances
}

// Proves reference/wallets#ledger, reference/cards#funding.
test('a wallet funds only cards in a currency that is paired with one of its own', async () => {
  const { caller, businessId } = await fixture.business()
  const other = await fixture.business()
  const { id } = await newWallet(wallets, caller, 'pairs')
  const accepts = (tenant: string, walletId: string, currency: string) =>
    fixture.db.transact(tenant, (tx) => funding.accepts(tx, walletId, currency))
  expect(await accepts(businessId, id, 'USD')).toBe('accepted')
  expect(await accepts(businessId, id, 'HKD')).toBe('currency_not_supported')
  expect(await accepts(businessId, 'wal_absent', 'USD')).toBe('no_wallet')
  expect(await accepts(other.businessId, id, 'USD')).toBe('no_wallet')
})

test('a hold, a capture, a release and a refund move exact amounts', async () => {
  const { caller, businessId } = await fixture.business()
  const wallet = await fundedWallet(caller, { USDC: '100.000001' })
  await fixture.db.transact(businessId, async (tx) => {
    expect(await funding.hold(tx, usd(wallet.id, 'aut_1', 6_000n))).toBe(true)
    expect(await funding.hold(tx, usd(wallet.id, 'aut_2', 4_001n))).toBe(false)
  })
  expect(await shown(caller, wallet)).toEqual([
    { currency: 'USDC', amount: '100.000001', available_amount: '40.000001', held_amount: '60.000000' },
  ])
  const move = { capturedMinor: 2_500n, releasedMinor: 3_500n, forcedMinor: 8_000n, refundedMinor: 500n }
  await fixture.db.transact(businessId, (tx) => funding.move(tx, usdMove(wallet.id, 'aut_1', move)))
  expect(await shown(caller, wallet)).toEqual([
    { currency: 'USDC', amount: '0.000001', available_amount: '0.000001', held_amount: '0.000000' },
  ])
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('an authorization takes all its money from the first currency that has enough', async () => {
  const { caller, businessId } = await fixture.business()
  const wallet = await fundedWallet(caller, { USDC: '10', USDT: '20' })
  const hold = (id: string, minor: bigint) =>
    fixture.db.transact(businessId, (tx) => funding.hold(tx, usd(wallet.id, id, minor)))
  expect(await hold('aut_a', 1_500n)).toBe(true)
  expect(await hold('aut_b', 1_100n)).toBe(false)
  expect(await hold('aut_c', 1_000n)).toBe(true)
  expect(await shown(caller, wallet)).toMatchObject([
    { currency: 'USDC', held_amount: '10.000000' },
    { currency: 'USDT', held_amount: '15.000000000000000000' },
  ])
})

test('concurrent holds never exceed the available balance', async () => {
  const { caller, businessId } = await fixture.business()
  const wallet = await fundedWallet(caller, { USDC: '10' })
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      fixture.db.transact(businessId, (tx) => funding.hold(tx, usd(wallet.id, `aut_${index}`, 300n))),
    ),
  )
  expect(results.filter(Boolean)).toHaveLength(3)
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('transactions that lock the same wallets first run one after the other, whatever order their holds have', async () => {
  const { caller, businessId } = await fixture.business()
  const one = await fundedWallet(caller, { USDC: '10', USDT: '10' })
  const other = await fundedWallet(caller, { USDC: '10' })
  const node = await adminOf(fixture, businessId)
  let tries = 0
  const holdInBoth = (first: ShownWallet, second: ShownWallet, between: () => Promise<void>) =>
    fixture.db.transact(businessId, async (tx) => {
      tries++
      await funding.lock(tx, [first.id, second.id])
      await funding.hold(tx, usd(first.id, newId('aut'), 300n))
      await between()
      await funding.hold(tx, usd(second.id, newId('aut'), 300n))
    })
  let behind: Promise<void> | undefined
  await holdInBoth(one, other, async () => {
    behind ??= holdInBoth(other, one, async () => {})
    await untilWaiting(node, 1)
  })
  await behind
  expect(tries).toBe(2)
  expect((await shown(caller, other))?.[0]).toMatchObject({ held_amount: '6.000000' })
})

test('a failed transaction leaves no hold, and a capture cannot exceed the held amount', async () => {
  const { caller, businessId } = await fixture.business()
  const wallet = await fundedWallet(caller, { USDC: '10' })
  const hold = usd(wallet.id, 'aut_f', 400n)
  const failed = fixture.db.transact(businessId, async (tx) => {
    await funding.hold(tx, hold)
    throw new Error('declined by the hook')
  })
  await expect(failed).rejects.toThrow('declined')
  expect(await balancesOf(wallets, caller, wallet.p_user_id)).toEqual({ USDC: '10.000000' })
  const tooMuch = fixture.db.transact(businessId, async (tx) => {
    await funding.hold(tx, hold)
    await funding.move(tx, usdMove(wallet.id, 'aut_f', { capturedMinor: 401n }))
  })
  await expect(tooMuch).rejects.toThrow()
  expect(await fixture.breaches(businessId)).toEqual([])
})

test('after any sequence of movements every posting sums to zero and the balance is exact', async () => {
  const { caller, businessId } = await fixture.business()
  const minor = fc.bigInt({ min: 0n, max: 900n })
  const step = fc.record({
    isHold: fc.boolean(),
    card: fc.integer({ min: 0, max: 2 }),
    minors: fc.tuple(minor, minor, minor, minor),
  })
  const min = (a: bigint, b: bigint) => (a < b ? a : b)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const wallet = await fundedWallet(caller, { USDC: '15.5' })
      const holds = new Map<number, { id: string; held: bigint; captured: bigint }>()
      let spent = 0n
      for (const { isHold, card, minors } of steps) {
        const hold = holds.get(card)
        await fixture.db.transact(businessId, async (tx) => {
          if (isHold) {
            const [id, amount] = [newId('aut'), minors[0] + 1n]
            if (hold === undefined && (await funding.hold(tx, usd(wallet.id, id, amount)))) {
              holds.set(card, { id, held: amount, captured: 0n })
            }
            return
          }
          if (hold === undefined) return
          const capturedMinor = min(minors[0], hold.held)
          const releasedMinor = min(minors[1], hold.held - capturedMinor)
          const forcedMinor = minors[2]
          const refundedMinor = min(minors[3], hold.captured)
          const moved = { capturedMinor, releasedMinor, forcedMinor, refundedMinor }
          await funding.move(tx, usdMove(wallet.id, hold.id, moved))
          const taken = capturedMinor + forcedMinor - refundedMinor
          hold.held -= capturedMinor + releasedMinor
          hold.captured += taken
          spent += taken
        })
      }
      const left = 15_500_000n - spent * 10_000n
      const { USDC } = await balancesOf(wallets, caller, wallet.p_user_id)
      expect(BigInt(USDC?.replace('.', '') ?? '')).toBe(left)
    }),
    { numRuns: 15 },
  )
  expect(await fixture.breaches(businessId)).toEqual([])
})
