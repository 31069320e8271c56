import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { KnownEntry, StatementEntry } from '../model/statement-entry.ts'
import { decideNew } from './decide-new.ts'
import { entryIdentifier, type ReadEntry } from './identify-entries.ts'

type Account = 'DE1' | 'DE2' | null
type Transfer = Pick<ReadEntry, 'bankReference' | 'bookingDate' | 'amount'>

const transfer = (bankReference: string | null, day = 1, amount = '50.00'): Transfer => ({
  bankReference,
  bookingDate: `2027-06-0${day}`,
  amount: Money.ofDecimal('EUR', amount),
})

function statementOf(account: Account, transfers: readonly Transfer[]): StatementEntry[] {
  const read = transfers.map((one): ReadEntry => ({
    ...one,
    kind: 'credit',
    account,
    debtorName: null,
    debtorIban: null,
    endToEndId: null,
    remittance: account ?? 'csv',
    returnedTo: null,
    isReferenceShared: false,
  }))
  return read.map(entryIdentifier())
}

class Ledger {
  readonly known: KnownEntry[] = []

  post(account: Account, ...transfers: readonly Transfer[]): number {
    const { added, completed } = decideNew(statementOf(account, transfers), this.known)
    for (const { id, by } of completed) {
      const index = this.known.findIndex((one) => one.id === id)
      this.known[index] = { ...by, id }
    }
    for (const entry of added) this.known.push({ ...entry, id: `bke_${this.known.length}` })
    return added.length
  }
}

// Proves reference/billing-transfers#statements.
test('the same transfer in CSV and camt.053 counts once, whichever comes first', () => {
  for (const order of [
    ['DE1', null],
    [null, 'DE1'],
    [null, 'DE1', null, 'DE1'],
  ] as const) {
    const ledger = new Ledger()
    expect(order.map((account) => ledger.post(account, transfer('REF-1')))).toEqual([
      1,
      ...order.slice(1).map(() => 0),
    ])
  }
})

test('another date, amount or reference is another transfer', () => {
  for (const other of [transfer('REF-1', 2), transfer('REF-1', 1, '51.00'), transfer('REF-2')]) {
    const ledger = new Ledger()
    ledger.post(null, transfer('REF-1'))
    expect(ledger.post('DE1', other)).toBe(1)
  }
})

test('transfers without a reference are not compared by date and amount', () => {
  const ledger = new Ledger()
  ledger.post(null, transfer(null), transfer(null))
  expect(ledger.post('DE1', transfer(null))).toBe(1)
  expect(ledger.post(null, transfer(null), transfer(null))).toBe(0)
})

test('a statement counts a reference that it repeats once', () => {
  expect(new Ledger().post(null, transfer('REF-1'), transfer('REF-1'))).toBe(1)
})

test('statements of one or two accounts and of none count each transfer once, in any order', () => {
  const all = ['A', 'B', 'C', 'D'].map((name) => transfer(`REF-${name}`))
  const posting = fc.tuple(fc.constantFrom<Account>('DE1', 'DE2', null), fc.subarray(all))
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 8 }), (postings) => {
      const ledger = new Ledger()
      for (const [account, transfers] of postings) ledger.post(account, ...transfers)
      for (const one of all) {
        const accounts = new Set(
          postings.filter(([, some]) => some.includes(one)).map(([account]) => account),
        )
        const named = [...accounts].filter((account) => account !== null).length
        const stored = ledger.known.filter(({ bankReference }) => bankReference === one.bankReference)
        expect(stored).toHaveLength(Math.max(named, accounts.has(null) ? 1 : 0))
      }
    }),
  )
})
