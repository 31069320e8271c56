import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { decideReturns } from './decide-returns.ts'
import type { Returnable, Returned } from '../model/statement-entry.ts'

const ADA = 'DE02120300000000202051'
const BOB = 'FR7630006000011234567890189'

const credit = (id: string, members: Partial<Returnable> = {}): Returnable => ({
  id,
  endToEndId: 'E2E-1',
  amount: Money.ofDecimal('EUR', '10.00'),
  bookingDate: '2027-06-14',
  debtorName: null,
  debtorIban: null,
  bankReference: null,
  remittance: '',
  ...members,
})

const back = (members: Partial<Returned> = {}): Returned => ({
  endToEndId: 'E2E-1',
  amount: Money.ofDecimal('EUR', '10.00'),
  bookingDate: '2027-06-15',
  bankReference: null,
  remittance: '',
  returnedTo: null,
  ...members,
})

const decided = (returns: readonly Returned[], credits: readonly Returnable[]): string[] =>
  decideReturns(returns, credits).map((decision) =>
    decision.state === 'undone'
      ? decision.creditId
      : decision.state === 'ambiguous'
        ? decision.creditIds.join(' or ')
        : decision.state,
  )

const OF_TWO = [
  credit('ada', { debtorIban: ADA, bankReference: 'BANK-7' }),
  credit('bob', { debtorIban: BOB, bankReference: 'BANK-77' }),
]

// Proves reference/billing-transfers#returns.
test('a return undoes the last credit of its end-to-end id and amount until its day, each once', () => {
  const credits = [credit('a'), credit('b'), credit('c', { endToEndId: 'E2E-2' })]
  const returns = [
    back(),
    back(),
    back(),
    back({ endToEndId: 'E2E-2', amount: Money.ofDecimal('EUR', '9.00') }),
    back({ endToEndId: 'E2E-2', amount: Money.ofDecimal('USD', '10.00') }),
    back({ endToEndId: null }),
    back({ endToEndId: 'E2E-2', bookingDate: '2027-06-13' }),
  ]
  const unknown = returns.slice(2).map(() => 'unknown')
  expect(decided(returns, credits)).toEqual(['b', 'a', ...unknown])
})

test.each([
  ['the IBAN', { returnedTo: ADA }],
  ['the bank reference', { bankReference: 'BANK-7' }],
  ['the bank reference in its text', { remittance: 'return of bank 7 AC04' }],
  ['the IBAN and the reference of another payer', { returnedTo: ADA, bankReference: 'BANK-77' }],
])('among several payers a return undoes the credit of which it names %s', (_, members) => {
  expect(decided([back(members)], OF_TWO)).toEqual(['ada'])
  expect(decided([back(members)], OF_TWO.toReversed())).toEqual(['ada'])
})

test('while several payers remain no credit is undone', () => {
  expect(decided([back()], OF_TWO)).toEqual(['ada or bob'])
  expect(decided([back({ remittance: 'BANK-777' })], OF_TWO)).toEqual(['ada or bob'])
  const byName = [credit('a', { debtorName: 'Ada' }), credit('b', { debtorName: 'Bob' })]
  expect(decided([back()], byName)).toEqual(['a or b'])
  const byText = [credit('a', { remittance: 'INV-2027-1' }), credit('b', { remittance: 'INV-2027-2' })]
  expect(decided([back()], byText)).toEqual(['a or b'])
})

test('a return that names a payer is never another payer’s', () => {
  const stranger = 'NL91ABNA0417164300'
  expect(decided([back({ returnedTo: stranger })], OF_TWO)).toEqual(['unknown'])
  expect(decided([back({ returnedTo: ADA })], OF_TWO.slice(1))).toEqual(['unknown'])
  expect(decided([back({ returnedTo: ADA })], [...OF_TWO.slice(1), credit('csv')])).toEqual(['csv'])
})

test('the return that names its payer leaves one payer for the other, in any order', () => {
  const returns = [back(), back({ returnedTo: BOB })]
  expect(decided(returns, OF_TWO)).toEqual(['ada', 'bob'])
  expect(decided(returns.toReversed(), OF_TWO)).toEqual(['bob', 'ada'])
})
