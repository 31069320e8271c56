import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { CountedTransfer } from '../model/counted-transfer.ts'
import type { SuggestableInvoice } from '../model/suggestion.ts'
import { suggestionsAmong } from './decide-suggestions.ts'

// Proves reference/billing-transfers#suggestions.

const eur = (amount: string) => Money.ofDecimal('EUR', amount)
const IBAN = 'DE02120300000000202051'

const invoice = (
  number: string,
  due: string,
  members: Partial<SuggestableInvoice> = {},
): SuggestableInvoice => ({
  id: `inv_${number}`,
  number,
  paymentReference: `RF00${number.replaceAll(/\D/g, '')}X`,
  orderId: `ord_${number}`,
  customerUuid: 'cus_1',
  customerName: 'Ada Lovelace',
  amountDue: eur(due),
  dueDate: '2027-06-30',
  ...members,
})

interface Given {
  readonly amount: string
  readonly remittance?: string
  readonly name?: string
  readonly iban?: string
  readonly payers?: readonly string[]
  readonly counted?: readonly CountedTransfer[]
}

function suggest(invoices: readonly SuggestableInvoice[], given: Given): string[] {
  const { amount, remittance = '', name = null, iban = null, payers = [], counted = [] } = given
  const transfer = {
    amount: eur(amount),
    bookingDate: '2027-06-15',
    remittance,
    debtorName: name,
    debtorIban: iban,
  }
  const known = new Map(iban === null ? [] : [[iban, new Set(payers)]])
  return suggestionsAmong({ invoices, payers: known, counted })(transfer).map(
    ({ shares, reasons }) =>
      `${shares.map((share) => `${share.invoice.number}=${share.amount.toString()}`).join('+')} ${reasons.join()}`,
  )
}

test('the invoice with the most reasons comes first', () => {
  const invoices = [
    invoice('A-100', '50.00', { customerUuid: 'cus_2', customerName: 'Kiln GmbH' }),
    invoice('A-200', '119.00', { customerUuid: 'cus_3', customerName: 'Grace Hopper' }),
    invoice('A-300', '119.00'),
  ]
  const given = { amount: '119.00', remittance: 'Invoice A-100', name: 'LOVELACE, Ada' }
  expect(suggest(invoices, given)).toEqual([
    'A-100=119.00 reference',
    'A-300=119.00 amount,name',
    'A-200=119.00 amount',
  ])
})

test('an amount that many owe is no reason by itself', () => {
  const many = Array.from({ length: 4 }, (_, index) =>
    invoice(`A-${index}`, '9.00', { customerUuid: `cus_${index}`, customerName: `Customer of ${index}00` }),
  )
  expect(suggest(many, { amount: '9.00' })).toEqual([])
  expect(suggest(many.slice(1), { amount: '9.00' })).toEqual([
    'A-1=9.00 amount',
    'A-2=9.00 amount',
    'A-3=9.00 amount',
  ])
  expect(suggest(many, { amount: '9.00', iban: IBAN, payers: ['cus_2'] })).toEqual(['A-2=9.00 amount,payer'])
})

test.each([
  ['Ada Lovelace', 'Dr. Ada King Lovelace', true],
  ['LOVELACE ADA', 'Ada Lovelace', true],
  ['Müller KG', 'Mueller KG', false],
  ['Bäckerei Müller e.K.', 'backerei müller', true],
  ['Kiln GmbH', 'Kiln Keramik GmbH & Co. KG', true],
  ['Kiln GmbH', 'Oven GmbH', false],
  ['王小明', '王小明', true],
  ['', 'Ada Lovelace', false],
])('a debtor %j is the customer %j: %s', (name, customerName, isSame) => {
  const found = suggest([invoice('A-1', '5.00', { customerName })], { amount: '7.00', name })
  expect(found).toEqual(isSame ? ['A-1=7.00 name'] : [])
})

test.each([
  ['Rechnung 000042', true],
  ['invoice 42', false],
  ['customer 1000042', false],
])('a remittance %j names INV-2027-000042: %s', (remittance, isNamed) => {
  const invoices = [
    invoice('INV-2027-000042', '5.00'),
    ...['B-1', 'C-1', 'D-1'].map((number) => invoice(number, '5.00', { customerName: 'X' })),
  ]
  expect(suggest(invoices, { amount: '5.00', remittance })).toEqual(
    isNamed ? ['INV-2027-000042=5.00 reference,amount'] : [],
  )
})

test('the oldest invoices of a customer that sum to the transfer are paid together, and others of the customer are not', () => {
  const invoices = [
    invoice('A-3', '30.00', { dueDate: '2027-08-31' }),
    invoice('A-1', '10.00', { dueDate: '2027-06-30' }),
    invoice('A-2', '20.00', { dueDate: '2027-07-31' }),
    invoice('B-1', '10.00', { customerUuid: 'cus_2', customerName: 'Grace Hopper' }),
  ]
  const given = { amount: '30.00', iban: IBAN, payers: ['cus_1'] }
  expect(suggest(invoices.slice(1), given)[0]).toBe('A-1=10.00+A-2=20.00 amount,payer')
  expect(suggest(invoices, given).toSorted()).toEqual([
    'A-1=10.00+A-2=20.00 amount,payer',
    'A-1=30.00 payer',
    'A-3=30.00 amount,payer',
  ])
})

test('another currency and an invoice that is paid are not suggested', () => {
  const usd = invoice('A-1', '5.00', { amountDue: Money.ofDecimal('USD', '5.00') })
  expect(suggest([usd, invoice('A-2', '0.00')], { amount: '5.00', remittance: 'A-1 A-2' })).toEqual([])
})

test.each([
  [
    '59 days later',
    {},
    { bookingDate: '2027-04-17' },
    [' paid_twice', 'A-300=119.00 reference,amount,payer,name'],
  ],
  [
    'before it, by another statement',
    {},
    { bookingDate: '2027-08-14' },
    [' paid_twice', 'A-300=119.00 reference,amount,payer,name'],
  ],
  [
    '61 days later',
    {},
    { bookingDate: '2027-04-15' },
    ['A-300=119.00 reference,amount,payer,name', 'A-200=119.00 amount,payer,name'],
  ],
  [
    'of another amount',
    {},
    { amount: eur('118.00') },
    ['A-300=119.00 reference,amount,payer,name', 'A-200=119.00 amount,payer,name'],
  ],
  [
    'from another IBAN',
    {},
    { debtorIban: 'FR7630006000011234567890189' },
    ['A-300=119.00 reference,amount,payer,name', 'A-200=119.00 amount,payer,name'],
  ],
  [
    'that also names an open invoice',
    { remittance: 'INV-A-100, INV-A-200' },
    {},
    ['A-200=119.00 reference,amount,payer,name', 'A-300=119.00 amount,payer,name'],
  ],
  [
    'that also names an invoice paid by another transfer',
    { remittance: 'INV-A-100, INV-A-101, 300' },
    {},
    ['A-300=119.00 reference,amount,payer,name', 'A-200=119.00 amount,payer,name'],
  ],
])('a transfer that paid the named invoice twice, %s', (_, given, first, expected) => {
  const invoices = [
    invoice('INV-A-100', '0.00'),
    invoice('INV-A-101', '0.00'),
    invoice('A-200', '119.00'),
    invoice('A-300', '119.00'),
  ]
  const counted = [
    {
      invoiceId: 'inv_INV-A-100',
      debtorIban: IBAN,
      amount: eur('119.00'),
      bookingDate: '2027-06-01',
      ...first,
    },
  ]
  const remittance = 'INV-A-100, 300'
  const wanted = suggest(invoices, {
    amount: '119.00',
    remittance,
    name: 'Ada Lovelace',
    iban: IBAN,
    payers: ['cus_1'],
    counted,
    ...given,
  })
  expect(wanted).toEqual(expected)
})
