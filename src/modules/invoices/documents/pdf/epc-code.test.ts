import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { exampleCreditNote, exampleInvoice, hongKongInvoice } from '../../testing/example-invoice.ts'
import { epcCode } from './epc-code.ts'

const INVOICE = exampleInvoice([{ unitAmount: '100' }])

// Proves reference/billing-documents#transfer-code.
test('the code names version, account, amount due and the reference as structured remittance, and ends there', () => {
  expect(epcCode(INVOICE)).toBe(
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nTeehaus & Söhne GmbH\nDE89370400440532013000\nEUR119.00\n\nRF18539007547034',
  )
})

test('a BIC is optional, and the account’s holder goes before the seller’s name', () => {
  const bank = { iban: 'DE89370400440532013000', bic: null, accountHolder: 'Ada\nSöhne' }
  const code = epcCode({ ...INVOICE, seller: { ...INVOICE.seller, bank } })
  expect(code?.split('\n').slice(3, 7)).toEqual(['SCT', '', 'Ada Söhne', 'DE89370400440532013000'])
})

test('a name that is too long for the code is cut between its characters', () => {
  const code = epcCode({ ...INVOICE, seller: { ...INVOICE.seller, name: '\u{1f375}'.repeat(90) } })
  expect(Buffer.byteLength(code ?? '')).toBeLessThanOrEqual(331)
  expect(code).toMatch(/^(?:[^\n]*\n){5}\u{1f375}{50,70}\n/u)
})

test('only what is due in euros, to an IBAN, within what a transfer can hold has a code', () => {
  const euros = (amount: string) => ({ ...INVOICE, amountDue: Money.ofDecimal('EUR', amount) })
  expect(epcCode(euros('999999999.99'))).toContain('EUR999999999.99')
  for (const other of [
    euros('1000000000.00'),
    euros('0.00'),
    hongKongInvoice(),
    exampleCreditNote(INVOICE),
    { ...INVOICE, seller: { ...INVOICE.seller, bank: null } },
    exampleInvoice([{ unitAmount: '100' }], { currency: 'USD' }),
  ]) {
    expect(epcCode(other)).toBeNull()
  }
})
