import { expect, test } from 'vitest'
import { parseStatementCsv } from './parse-statement-csv.ts'

const entriesOf = (csv: string) => [...parseStatementCsv(csv)].flat()

const HEADER = 'booking_date,amount,currency,debtor_name,debtor_iban,bank_reference,remittance'

// Proves reference/billing-transfers#statements.
test('rows of credits are read, those of debits are not', () => {
  const csv = [
    `\uFEFF${HEADER}`,
    '2027-06-15,119.00,EUR,"Söhne, Ada",fr76 3000 6000 0112 3456 7890 189,BANK-1,"Rechnung ""INV-1""',
    'of June"',
    '2027-06-15,-20.00,EUR,Landlord,,,Rent',
    '2027-06-16,5,JPY,,,,',
    '',
  ].join('\r\n')
  expect(
    entriesOf(csv).map(({ amount, ...rest }) => ({
      ...rest,
      amount: `${amount.currency} ${amount.toString()}`,
    })),
  ).toEqual([
    {
      kind: 'credit',
      account: null,
      bookingDate: '2027-06-15',
      amount: 'EUR 119.00',
      debtorName: 'Söhne, Ada',
      debtorIban: 'FR7630006000011234567890189',
      bankReference: 'BANK-1',
      endToEndId: null,
      remittance: 'Rechnung "INV-1"\r\nof June',
      returnedTo: null,
      isReferenceShared: false,
    },
    {
      kind: 'credit',
      account: null,
      bookingDate: '2027-06-16',
      amount: 'JPY 5',
      debtorName: null,
      debtorIban: null,
      bankReference: null,
      endToEndId: null,
      remittance: '',
      returnedTo: null,
      isReferenceShared: false,
    },
  ])
})

test('columns may be in any order, and optional ones may be missing', () => {
  const [entry] = entriesOf('currency,remittance,booking_date,amount\nEUR,INV-1,2027-06-15,1.50')
  expect(entry).toMatchObject({ bookingDate: '2027-06-15', remittance: 'INV-1', debtorName: null })
})

test.each([
  ['', 1],
  ['booking_date,amount', 1],
  [`${HEADER},balance`, 1],
  [`${HEADER},amount`, 1],
  [`${HEADER}\n2027-06-15,1.00,EUR,,,`, 2],
  [`${HEADER}\n15.06.2027,1.00,EUR,,,,`, 2],
  [`${HEADER}\n2027-02-30,1.00,EUR,,,,`, 2],
  [`${HEADER}\n2027-06-15,"1,00",EUR,,,,`, 2],
  [`${HEADER}\n2027-06-15,1.001,EUR,,,,`, 2],
  [`${HEADER}\n2027-06-15,1.00,eur,,,,`, 2],
  [`${HEADER}\n2027-06-15,1.00,EUR,,,,"two\nlines"\n\n2027-06-15,x,EUR,,,,`, 5],
  [`${HEADER}\n2027-06-15,1.00,EUR,,,,"open`, 2],
  [`${HEADER}\n0000-01-01,1.00,EUR,,,,`, 2],
  [`${HEADER}\n1899-12-31,1.00,EUR,,,,`, 2],
  [`${HEADER}\n2201-01-01,1.00,EUR,,,,`, 2],
  [`${HEADER}\n2027-06-15,1.00,EUR,,,,${'x'.repeat(10_001)}`, 2],
  [`${HEADER}\n2027-06-15,1.00,EUR,,${'9'.repeat(256)},,`, 2],
  [`${HEADER}\n2027-06-15,1.00,EUR,,,,"${'x'.repeat(200_000)}"`, 2],
  ['x,'.repeat(100_000), 1],
])('%j is refused with its line', (csv, line) => {
  expect(() => entriesOf(csv)).toThrow(
    expect.objectContaining({
      reason: 'statement_invalid',
      detail: expect.objectContaining({ data: { line } }),
    }),
  )
})
