import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { BalanceEntry } from '#modules/acquirers'
import type { AcquirerTransaction } from '#modules/payments'
import type { CountedEntry } from '../model/entry.ts'
import { matchEntries } from './match-entries.ts'
import { changesOfTotals } from './totals.ts'

const AT = Temporal.Instant.from('2031-03-05T10:00:00Z')

const entry = (id: string, changes: Partial<BalanceEntry> = {}): BalanceEntry => ({
  id,
  type: 'payment',
  acquirerType: 'charge',
  reference: 'ch_1',
  currency: 'HKD',
  grossMinor: 100n,
  feeMinor: 0n,
  netMinor: 100n,
  paid: null,
  createdAt: AT,
  availableAt: null,
  ...changes,
})

const transaction = (id: string, minor: bigint, changes: Partial<AcquirerTransaction> = {}) => ({
  id,
  orderNumber: `ord_${id}`,
  type: 'Sales' as const,
  state: 'succeeded' as const,
  amount: Money.ofMinor('HKD', minor),
  gatewayTransactionId: 'pi_1',
  rrn: 'ch_1',
  succeededAt: AT,
  ...changes,
})

const match = (
  entries: BalanceEntry[],
  transactions: AcquirerTransaction[],
  taken: string[] = [],
): (string | null)[][] => {
  const found = matchEntries(entries, {
    transactions,
    disputes: [],
    taken: new Set(taken),
    connectedAt: AT.subtract({ hours: 1 }),
  })
  return entries.map(({ id }) => [found.get(id)?.result ?? null, found.get(id)?.transactionId ?? null])
}

// Proves reference/reconciliation#results.
test('a line is found by either of the ids of its transaction', () => {
  expect(match([entry('l1')], [transaction('t1', 100n)])).toEqual([['matched', 't1']])
  expect(match([entry('l1', { reference: 'pi_1' })], [transaction('t1', 100n)])).toEqual([['matched', 't1']])
  expect(match([entry('l1', { reference: null })], [transaction('t1', 100n)])).toEqual([
    ['missing_here', null],
  ])
})

test('several captures of one payment are paired by their amounts, whatever their order', () => {
  const captures = [30n, 20n, 50n].map((minor, i) => transaction(`t${i}`, minor, { type: 'Capture' }))
  const lines = [50n, 30n, 21n].map((grossMinor, i) => entry(`l${i}`, { grossMinor }))
  expect(match(lines, captures)).toEqual([
    ['matched', 't2'],
    ['matched', 't0'],
    ['different_amount', 't1'],
  ])
})

test('a second line of a payment is missing here: the payer was charged twice', () => {
  expect(match([entry('l1'), entry('l2')], [transaction('t1', 100n)])).toEqual([
    ['matched', 't1'],
    ['missing_here', null],
  ])
  expect(match([entry('l2')], [transaction('t1', 100n)], ['t1'])).toEqual([['missing_here', null]])
})

test('a payment is not paired with a refund, an authorization or what did not succeed', () => {
  const others = [
    transaction('t1', 100n, { type: 'Authorization', state: 'authorized' }),
    transaction('t2', 100n, { state: 'failed' }),
    transaction('t3', 100n, { state: 'unknown' }),
    transaction('t4', -100n, { type: 'Refund' }),
  ]
  expect(match([entry('l1')], others)).toEqual([['missing_here', null]])
  expect(match([entry('l1', { type: 'refund', grossMinor: -100n })], others)).toEqual([['matched', 't4']])
})

test('a line that was settled in another currency is compared by what the payer paid', () => {
  const usd = { currency: 'USD', grossMinor: 13n }
  const paid = { currency: 'HKD', amountMinor: 100n }
  expect(match([entry('l1', { ...usd, paid })], [transaction('t1', 100n)])).toEqual([['matched', 't1']])
  expect(match([entry('l1', usd)], [transaction('t1', 100n)])).toEqual([['different_amount', 't1']])
})

test('lines from before the account was connected are not ours, unless they have a transaction', () => {
  const early = { createdAt: AT.subtract({ hours: 2 }) }
  expect(match([entry('l1', early)], [])).toEqual([['other', null]])
  expect(match([entry('l1', early)], [transaction('t1', 100n)])).toEqual([['matched', 't1']])
})

test('two lines never stand for one transaction, and equal amounts always find each other', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 4n }), { maxLength: 6 })
  fc.assert(
    fc.property(amounts, amounts, (theirs, ours) => {
      const lines = theirs.map((grossMinor, i) => entry(`l${i}`, { grossMinor }))
      const transactions = ours.map((minor, i) => transaction(`t${i}`, minor))
      const found = match(lines, transactions)
      const used = found.flatMap(([, id]) => id ?? [])
      expect(new Set(used).size).toBe(used.length)
      expect(used).toHaveLength(Math.min(theirs.length, ours.length))
      const equal = [1n, 2n, 3n, 4n].reduce(
        (sum, amount) =>
          sum +
          Math.min(
            theirs.filter((their) => their === amount).length,
            ours.filter((our) => our === amount).length,
          ),
        0,
      )
      expect(found.filter(([result]) => result === 'matched')).toHaveLength(equal)
    }),
  )
})

test('what is added and then removed leaves the totals as they were', () => {
  const counted = fc.record({
    id: fc.string(),
    reconciliationId: fc.constantFrom('a', 'b'),
    type: fc.constantFrom('payment', 'refund'),
    result: fc.constantFrom('matched', 'missing_here'),
    currency: fc.constantFrom('HKD', 'USD'),
    grossMinor: fc.bigInt(),
    feeMinor: fc.bigInt(),
    netMinor: fc.bigInt(),
  }) as fc.Arbitrary<CountedEntry>
  fc.assert(
    fc.property(fc.array(counted), (entries) => {
      expect(changesOfTotals(entries, entries)).toEqual([])
      const sum = changesOfTotals(entries, []).reduce((total, { grossMinor }) => total + grossMinor, 0n)
      expect(sum).toBe(entries.reduce((total, { grossMinor }) => total + grossMinor, 0n))
    }),
  )
})
