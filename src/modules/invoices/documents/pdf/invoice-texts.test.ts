import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { exampleInvoice } from '../../testing/example-invoice.ts'
import type { Invoice, InvoiceLine } from '../../model/invoice.ts'
import { invoiceTexts, type PdfOptions } from './invoice-texts.ts'
import type { MovedMoney } from './payment-rows.ts'

const OPTIONS: PdfOptions = {
  language: 'en',
  timeZone: 'Europe/Berlin',
  isTest: false,
  logo: null,
  paymentLink: null,
  moved: [],
}
const PERIOD = { start: '2027-02-07T10:00:00Z', end: '2027-02-27T23:00:00Z' }

function textsOf(invoice: Invoice, options: Partial<PdfOptions> = {}) {
  return invoiceTexts(invoice, { ...OPTIONS, ...options }, null)
}

function changed(change: InvoiceLine['change'], label = 'Team'): Invoice {
  const invoice = exampleInvoice([{ label, unitAmount: '81.00', period: PERIOD }])
  return { ...invoice, lines: invoice.lines.map((line) => ({ ...line, ...(change && { change }) })) }
}

// Proves reference/billing-documents#pdf.
test('a line of a change says whether its time is unused or remains, of how many seats, from when, and the discount', () => {
  const discount = Money.ofDecimal('EUR', '9.00')
  expect(textsOf(changed({ kind: 'unused', units: 4 })).rows).toMatchObject([
    { item: 'Unused time on 4 × Team after 7 Feb 2027', details: ['7 Feb 2027 – 27 Feb 2027'] },
  ])
  expect(textsOf(changed({ kind: 'remaining', units: 6, discount })).rows).toMatchObject([
    {
      item: 'Remaining time on 6 × Team after 7 Feb 2027',
      details: ['7 Feb 2027 – 27 Feb 2027', 'Discount of EUR\u00a09.00 included'],
    },
  ])
  expect(textsOf(changed({ kind: 'unused', units: 4 }, '{date} $&'), { language: 'de' }).rows).toMatchObject([
    { item: 'Nicht genutzte Zeit für 4 × {date} $& nach dem 7. Feb. 2027' },
  ])
  expect(textsOf(changed(undefined)).rows).toMatchObject([{ item: 'Team' }])
})

test('a document shows what was paid and given back: when, how and by whom', () => {
  const { payments } = textsOf(exampleInvoice([{ unitAmount: '100' }]), { moved: MOVED })
  expect(payments).toEqual([
    { date: '20 Jun 2027', description: 'Visa **** 4242 · Ada Lovelace', amount: '50.00' },
    { date: '21 Jun 2027', description: 'Refund · Visa **** 4242 · Ada Lovelace', amount: '−5.00' },
    { date: '25 Jun 2027', description: 'Bank transfer · Café Łódź · B-77', amount: '30.00' },
  ])
})

test.each([
  [
    'not_registered',
    [],
    'No tax is charged because the seller is not registered for tax where this supply is taxed.',
  ],
  ['no_rate', [], 'No tax is charged because no tax rate applies to this supply.'],
  ['exempt', [], 'Exempt from tax.'],
  ['exempt', ['§ 4 Nr. 21 UStG'], 'Exempt from tax: § 4 Nr. 21 UStG'],
  ['reverse_charge', ['Reverse charge'], 'Reverse charge: the recipient of the supply owes the tax.'],
] as const)(
  'a document of treatment %s with the notes %j says why it has no tax',
  (treatment, notes, sentence) => {
    const invoice = exampleInvoice([{ unitAmount: '100', treatment }], { members: { notes } })
    expect(textsOf(invoice).notes).toEqual([sentence])
    expect(textsOf(invoice).parties[0]?.lines).toContain('VAT ID DE136695976')
  },
)

const CARD = {
  type: 'Sales',
  state: 'succeeded',
  amount: Money.ofDecimal('EUR', '50.00'),
  valueDate: '2027-06-20',
  paymentMethod: 'payment_token',
  instrument: {
    acquirerType: 'card',
    brand: 'visa',
    first6: '424242',
    last4: '4242',
    numberLength: 16,
    holderName: 'Ada Lovelace',
    expMonth: 4,
    expYear: 2029,
  },
  answer: { gatewayTransactionId: 'pi_1' },
} as MovedMoney

const MOVED: readonly MovedMoney[] = [
  {
    ...CARD,
    amount: Money.ofDecimal('EUR', '30.00'),
    valueDate: '2027-06-25',
    paymentMethod: 'bank_transfer',
    instrument: { ...CARD.instrument, acquirerType: 'bank', brand: null, last4: null, holderName: null },
    answer: { ...CARD.answer, gatewayTransactionId: 'B-77' },
    payer: 'Café Łódź',
  },
  { ...CARD, type: 'Refund', amount: Money.ofDecimal('EUR', '-5.00'), valueDate: '2027-06-21' },
  { ...CARD, state: 'failed' },
  CARD,
]
