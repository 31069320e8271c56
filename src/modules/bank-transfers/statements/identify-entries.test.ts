import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { entryIdentifier, type ReadEntry } from './identify-entries.ts'

const read = (day: number, members: Partial<ReadEntry>): ReadEntry => ({
  kind: 'credit',
  account: 'DE89370400440532013000',
  bookingDate: `2027-06-${String(day).padStart(2, '0')}`,
  amount: Money.ofDecimal('EUR', '50.00'),
  debtorName: null,
  debtorIban: null,
  bankReference: null,
  endToEndId: null,
  remittance: '',
  returnedTo: null,
  isReferenceShared: false,
  ...members,
})

const identifyEntries = (entries: readonly ReadEntry[]) => entries.map(entryIdentifier())

// Proves reference/billing-transfers#statements.
test('the same statements in any overlap count once, and equal transfers each', () => {
  const member = fc.record({
    remittance: fc.constantFrom('', 'INV-1'),
    amount: fc.constantFrom('50.00', '60.00').map((text) => Money.ofDecimal('EUR', text)),
    isReferenceShared: fc.boolean(),
  })
  const days = fc.array(fc.array(fc.tuple(member, fc.boolean()), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 8,
  })
  const spans = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 8 })
  fc.assert(
    fc.property(days, spans, (ledger, overlaps) => {
      let references = 0
      const all = ledger.map((entries, day) =>
        entries.map(([members, hasReference]) => {
          if (!hasReference) return read(day + 1, { ...members, isReferenceShared: false })
          const bankReference = members.isReferenceShared ? `BATCH-${day}` : `REF-${references++}`
          return read(day + 1, { ...members, bankReference })
        }),
      )
      const statements = [[0, all.length - 1] as const, ...overlaps]
      const known = new Set<string>()
      for (const [from, until] of statements) {
        const statement = identifyEntries(all.slice(from, until + 1).flat())
        expect(new Set(statement.map(({ identity }) => identity)).size).toBe(statement.length)
        for (const { identity } of statement) known.add(identity)
      }
      expect(known.size).toBe(all.flat().length)
    }),
  )
})

test('a statement of a part of the day and one of the whole day count its equal transfers each once', () => {
  const morning = identifyEntries([read(1, {})])
  const day = identifyEntries([read(1, {}), read(1, {})])
  expect(new Set([...morning, ...day].map(({ identity }) => identity)).size).toBe(2)
})

test('an entry keeps its identity by its reference when the bank corrects its texts', () => {
  const [first] = identifyEntries([read(1, { bankReference: 'BANK-1', remittance: 'INV 1' })])
  const [again] = identifyEntries([read(2, { bankReference: 'BANK-1', remittance: 'INV-1' })])
  expect(again?.identity).toBe(first?.identity)
})

test('accounts, and a transfer and its return, do not share a reference', () => {
  const identities = identifyEntries([
    read(1, { bankReference: 'BANK-1' }),
    read(1, { bankReference: 'BANK-1', kind: 'return' }),
    read(1, { bankReference: 'BANK-1', account: null }),
  ]).map(({ identity }) => identity)
  expect(new Set(identities).size).toBe(3)
})
