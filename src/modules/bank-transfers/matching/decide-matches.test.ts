import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { CountedTransfer } from '../model/counted-transfer.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { decideMatches, type PayableInvoice } from './decide-matches.ts'

const eur = (amount: string) => Money.ofDecimal('EUR', amount)

const credit = (
  remittance: string,
  amount: string,
  members: Partial<StatementEntry> = {},
): StatementEntry => ({
  kind: 'credit',
  account: null,
  bookingDate: '2027-06-15',
  amount: eur(amount),
  debtorName: null,
  debtorIban: null,
  bankReference: null,
  endToEndId: null,
  remittance,
  returnedTo: null,
  identity: remittance,
  ...members,
})

const invoice = (number: string, due: string, members: Partial<PayableInvoice> = {}): PayableInvoice => ({
  id: `inv_${number}`,
  number,
  paymentReference: `RF00${number.replaceAll(/\D/g, '')}X`,
  customerUuid: 'cus_1',
  amountDue: eur(due),
  isOpen: true,
  ...members,
})

const NOBODY = new Map<string, ReadonlySet<string>>()

function matchOf(
  entries: readonly StatementEntry[],
  invoices: readonly PayableInvoice[],
  payers = NOBODY,
  counted: readonly CountedTransfer[] = [],
): unknown[] {
  return decideMatches(entries, { invoices, payers, counted }).map((match) =>
    match.state === 'matched'
      ? Object.fromEntries(match.bookings.map(({ invoiceId, amount }) => [invoiceId, amount.toString()]))
      : match.state === 'suggested'
        ? match.invoiceIds
        : match.state,
  )
}

const ONE = [
  invoice('INV-2027-000042', '119.00', { paymentReference: 'RF18539007547034' }),
  invoice('INV-1', '10.00'),
  invoice('2027-0007', '20.00'),
]

// Proves reference/billing-transfers#matching.
test.each([
  ['Rechnung INV-2027-000042', 'inv_INV-2027-000042'],
  ['inv 2027 000042 vom 15.6.', 'inv_INV-2027-000042'],
  ['INV2027000042', 'inv_INV-2027-000042'],
  ['INV-2027-000042 100,00', 'inv_INV-2027-000042'],
  ['Invoice:INV-2027–0000 42/June', 'inv_INV-2027-000042'],
  ['RF18 5390 0754 7034', 'inv_INV-2027-000042'],
  ['rf18539007547034 INV-2027-000042', 'inv_INV-2027-000042'],
  ['pays inv1', 'inv_INV-1'],
  ['Straße İzmir inv-1', 'inv_INV-1'],
  ['INV-1.', 'inv_INV-1'],
  ['KD 4711 2027-0007', 'inv_2027-0007'],
])('%s names one invoice, whose whole amount is booked', (remittance, id) => {
  expect(matchOf([credit(remittance, '5.00')], ONE)).toEqual([{ [id]: '5.00' }])
  expect(matchOf([credit(remittance, '500.00')], ONE)).toEqual([{ [id]: '500.00' }])
})

test.each([
  '',
  'Tea',
  'INV-12',
  'inv 1-2',
  'INV-1------2',
  'INV-2027-0000421',
  '12027-0007',
  'INV-2027-00004',
])('%j names no invoice', (remittance) => {
  expect(matchOf([credit(remittance, '10.00')], ONE)).toEqual(['unmatched'])
})

test('the longer number counts where one begins with another', () => {
  const invoices = [invoice('INV-1', '10.00'), invoice('INV-12', '20.00')]
  expect(matchOf([credit('INV-12', '20.00'), credit('INV-1', '10.00')], invoices)).toEqual([
    { 'inv_INV-12': '20.00' },
    { 'inv_INV-1': '10.00' },
  ])
})

test('a number or reference under five characters is matched by nothing', () => {
  const short = [invoice('R-12', '10.00'), invoice('2027', '10.00', { paymentReference: 'RF18' })]
  const texts = ['R-12', 'R 12', '2027', 'RF18']
  expect(
    matchOf(
      texts.map((text) => credit(text, '10.00')),
      short,
    ),
  ).toEqual(texts.map(() => 'unmatched'))
  expect(matchOf([credit('R-123', '10.00')], [invoice('R-123', '10.00')])).toEqual([{ 'inv_R-123': '10.00' }])
})

test('several invoices are each paid when their dues sum exactly, else none is', () => {
  const invoices = [
    invoice('2027-0001', '10.00'),
    invoice('2027-0002', '20.00'),
    invoice('2027-0003', '30.00'),
  ]
  expect(matchOf([credit('2027-0001 2027-0002', '30.00')], invoices)).toEqual([
    { 'inv_2027-0001': '10.00', 'inv_2027-0002': '20.00' },
  ])
  expect(matchOf([credit('2027-0001,2027-0002', '29.99')], invoices)).toEqual(['unmatched'])
})

test('a paid, voided or other-currency invoice is not paid, also beside an open one', () => {
  const invoices = [
    invoice('INV-1', '10.00', { isOpen: false }),
    invoice('INV-2', '0.00'),
    invoice('INV-3', '1.00', { amountDue: Money.ofDecimal('USD', '10.00') }),
    invoice('INV-4', '10.00'),
  ]
  const texts = ['INV-1', 'INV-2', 'INV-3', 'INV-1 INV-4']
  expect(
    matchOf(
      texts.map((text) => credit(text, '10.00')),
      invoices,
    ),
  ).toEqual(texts.map(() => 'unmatched'))
})

test('an entry sees what those before it in the statement paid', () => {
  const entries = [credit('INV-1', '4.00'), credit('INV-1', '6.00'), credit('INV-1', '6.00')]
  expect(matchOf(entries, [invoice('INV-1', '10.00')])).toEqual([
    { 'inv_INV-1': '4.00' },
    { 'inv_INV-1': '6.00' },
    'unmatched',
  ])
})

test('an invoice of the same due is suggested to a payer whose IBAN is known, also from the same statement', () => {
  const debtorIban = 'FR7630006000011234567890189'
  const invoices = [
    invoice('INV-1', '10.00'),
    invoice('INV-2', '20.00'),
    invoice('INV-3', '20.00', { customerUuid: 'cus_2' }),
    invoice('INV-4', '5.00', { isOpen: false }),
  ]
  const payers = new Map([[debtorIban, new Set(['cus_1'])]])
  const of = (text: string, amount: string) => credit(text, amount, { debtorIban })
  expect(matchOf([of('thanks', '20.00')], invoices, payers)).toEqual([['inv_INV-2']])
  expect(matchOf([of('INV-4 again', '20.00')], invoices, payers)).toEqual([['inv_INV-2']])
  expect(matchOf([of('thanks', '19.99'), credit('thanks', '20.00')], invoices, payers)).toEqual([
    'unmatched',
    'unmatched',
  ])
  expect(matchOf([of('INV-1', '10.00'), of('thanks', '20.00')], invoices)).toEqual([
    { 'inv_INV-1': '10.00' },
    ['inv_INV-2'],
  ])
})

test('a transfer that repeats one of the same or an earlier statement suggests no other invoice', () => {
  const debtorIban = 'FR7630006000011234567890189'
  const invoices = [invoice('INV-1', '10.00'), invoice('INV-2', '10.00')]
  const of = (text: string, bookingDate = '2027-06-15') => credit(text, '10.00', { debtorIban, bookingDate })
  expect(matchOf([of('INV-1'), of('INV-1')], invoices)).toEqual([{ 'inv_INV-1': '10.00' }, 'unmatched'])
  expect(matchOf([of('INV-1'), of('thanks')], invoices)).toEqual([{ 'inv_INV-1': '10.00' }, ['inv_INV-2']])
  const paid = [invoice('INV-1', '0.00', { isOpen: false }), invoice('INV-2', '10.00')]
  const payers = new Map([[debtorIban, new Set(['cus_1'])]])
  const counted = [{ invoiceId: 'inv_INV-1', debtorIban, amount: eur('10.00'), bookingDate: '2027-04-16' }]
  expect(matchOf([of('INV-1')], paid, payers, counted)).toEqual(['unmatched'])
  expect(matchOf([of('INV-1', '2027-06-16')], paid, payers, counted)).toEqual([['inv_INV-2']])
  expect(matchOf([of('INV-1')], paid, payers)).toEqual([['inv_INV-2']])
})

test('a number that two legal entities gave names the invoice that is open, or due with the amount', () => {
  const same = [
    invoice('INV-1', '10.00', { id: 'inv_x', isOpen: false }),
    invoice('INV-1', '10.00', { id: 'inv_y' }),
    invoice('INV-1', '20.00', { id: 'inv_z' }),
  ]
  expect(matchOf([credit('INV-1', '20.00')], same)).toEqual([{ inv_z: '20.00' }])
  expect(matchOf([credit('INV-1', '15.00')], same)).toEqual(['unmatched'])
  expect(matchOf([credit('INV-1', '15.00')], same.slice(0, 2))).toEqual([{ inv_y: '15.00' }])
})

test('10,000 entries find their invoices among 20,000', () => {
  const invoices = Array.from({ length: 20_000 }, (_, index) =>
    invoice(`INV-2027-${100_000 + index}`, '10.00'),
  )
  const entries = invoices
    .slice(0, 10_000)
    .map(({ number }) => credit(`Rechnung ${number} vielen Dank`, '10.00'))
  const matches = decideMatches(entries, { invoices, payers: NOBODY, counted: [] })
  expect(matches.every(({ state }) => state === 'matched')).toBe(true)
})

test('each of many transfers of one amount may pay at most 20 of many invoices', () => {
  const many = Array.from({ length: 30 }, (_, index) => invoice(`INV-${index + 100}`, '119.00'))
  const payers = new Map([['DE1', new Set(['cus_1'])]])
  const transfer = (remittance: string) => credit(remittance, '119.00', { debtorIban: 'DE1' })
  const oldest = many.slice(0, 20).map(({ id }) => id)
  expect(matchOf([transfer('one'), transfer('two')], many, payers)).toEqual([oldest, oldest])
})
