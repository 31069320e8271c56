import { expect, test } from 'vitest'
import { rateLabel } from './assess-taxes.ts'
import { decideTreatment } from './decide-treatment.ts'
import type { TaxGround } from '../model/tax-ground.ts'
import { RateTable, type TableRate } from '../model/rate-table.ts'

const rate = (country: string, percentage: string, more: Partial<TableRate> = {}): TableRate => ({
  name: 'VAT',
  country,
  region: null,
  category: null,
  percentage,
  validFrom: '2020-01-01',
  validUntil: null,
  ...more,
})
const place = (country: string, region: string | null = null) => ({
  line1: 'Street 1',
  line2: null,
  postalCode: '1',
  city: 'City',
  region,
  country,
})
const registered = (country: string, more: object = {}) => ({
  country,
  region: null,
  number: null,
  from: null,
  until: null,
  ...more,
})
const german: TaxGround['seller'] = {
  address: place('DE'),
  registrations: [registered('DE')],
  oss: false,
  taxRounding: 'document',
}
const buyerOf = (country: string | null, more: Partial<NonNullable<TaxGround['buyer']>> = {}) => ({
  address: country === null ? null : place(country),
  taxIds: [],
  taxExempt: 'none' as const,
  ...more,
})
const vat = (value: string, state: 'unverified' | 'rejected' = 'unverified') => ({
  taxIds: [{ type: 'vat' as const, value, state }],
})
const RATES = [rate('DE', '19'), rate('FR', '20'), rate('AT', '20')]

function decide(
  buyer: TaxGround['buyer'],
  { seller = german, rates = RATES, category = 'standard', date = '2027-06-01' } = {},
): string {
  const { treatment, rates: named } = decideTreatment(
    { seller, buyer, rates: new RateTable(rates) },
    category,
    date,
  )
  return [treatment, ...named.map(rateLabel)].join(' ')
}

// Proves reference/billing-tax#treatments.
test('the first treatment that holds decides', () => {
  expect(decide(buyerOf('FR', { taxExempt: 'exempt', ...vat('FR40303265045') }))).toBe('exempt')
  expect(decide(buyerOf('DE', { taxExempt: 'reverse' }))).toBe('reverse_charge')
  expect(decide(buyerOf('FR', vat('FR40303265045')))).toBe('reverse_charge')
  expect(decide(buyerOf('GR', vat('EL094259216')))).toBe('reverse_charge')
  expect(decide(buyerOf('DE'))).toBe('taxed VAT 19%')
  expect(decide(undefined)).toBe('taxed VAT 19%')
  expect(decide(buyerOf(null, vat('FR40303265045')))).toBe('taxed VAT 19%')
  expect(decide(buyerOf('US'))).toBe('not_registered')
})

// Proves reference/billing-tax#treatments.
test('lago-api 5056: a customer elsewhere in the EU whose VAT id was rejected pays the rates of the seller', () => {
  expect(decide(buyerOf('FR', vat('FR40303265045', 'rejected')))).toBe('taxed VAT 19%')
})

// Proves reference/billing-tax#treatments.
test('rentemester 135: a VAT id of home or from outside the EU reverses no charge', () => {
  expect(decide(buyerOf('FR', vat('XI110305878')))).toBe('taxed VAT 19%')
  expect(decide(buyerOf('GB', vat('GB110305878')))).toBe('not_registered')
  expect(decide(buyerOf('DE', vat('DE136695976')))).toBe('taxed VAT 19%')
})

// Proves reference/billing-tax#treatments.
test('another EU state has the rates of home below the threshold, its own with a registration or the one-stop shop', () => {
  expect(decide(buyerOf('FR'))).toBe('taxed VAT 19%')
  expect(decide(buyerOf('FR'), { seller: { ...german, oss: true } })).toBe('taxed VAT 20%')
  const inFrance = { ...german, registrations: [registered('DE'), registered('FR')] }
  expect(decide(buyerOf('FR'), { seller: inFrance })).toBe('taxed VAT 20%')
  expect(decide(buyerOf('IT'), { seller: { ...german, oss: true } })).toBe('no_rate')
  expect(decide(buyerOf('FR'), { seller: { ...german, registrations: [] } })).toBe('not_registered')
  const swiss = { ...german, address: place('CH'), registrations: [registered('CH')] }
  expect(decide(buyerOf('FR'), { seller: swiss })).toBe('not_registered')
})

// Proves reference/billing-tax#treatments.
test('a registration counts in its region and between its dates, both inclusive', () => {
  const canada = (registration: object) => ({
    seller: { ...german, address: place('CA', 'ON'), registrations: [registered('CA', registration)] },
    rates: [
      rate('CA', '5', { name: 'GST' }),
      rate('CA', '9.975', { name: 'QST', region: 'QC' }),
      rate('CA', '8', { name: 'PST', region: 'ON' }),
    ],
  })
  const quebec = { ...buyerOf(null), address: place('CA', 'QC') }
  expect(decide(quebec, canada({}))).toBe('taxed GST 5% QST 9.975%')
  expect(decide(quebec, canada({ region: 'QC' }))).toBe('taxed GST 5% QST 9.975%')
  expect(decide(quebec, canada({ region: 'ON' }))).toBe('not_registered')
  expect(decide(quebec, canada({ from: '2027-06-01', until: '2027-06-01' }))).toBe('taxed GST 5% QST 9.975%')
  expect(decide(quebec, canada({ from: '2027-06-02' }))).toBe('not_registered')
  expect(decide(quebec, canada({ until: '2027-05-31' }))).toBe('not_registered')
})

// Proves reference/billing-tax#rates.
test('rates hold between their dates, and one of the category of the line replaces the general one of its name', () => {
  const rates = [
    rate('DE', '19', { validUntil: '2027-06-30' }),
    rate('DE', '16', { validFrom: '2027-07-01' }),
    rate('DE', '7', { category: 'books' }),
    rate('DE', '1', { name: 'Levy' }),
  ]
  expect(decide(buyerOf('DE'), { rates, date: '2027-06-30' })).toBe('taxed Levy 1% VAT 19%')
  expect(decide(buyerOf('DE'), { rates, date: '2027-07-01' })).toBe('taxed Levy 1% VAT 16%')
  expect(decide(buyerOf('DE'), { rates, category: 'books' })).toBe('taxed Levy 1% VAT 7%')
  expect(decide(buyerOf('DE'), { rates: [] })).toBe('no_rate')
})
