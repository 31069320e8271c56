import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { datevLine } from './datev.ts'

// Proves reference/billing-reports#exports.

function fieldsOf(text: string, reference: string): string[] {
  const line = datevLine({
    amount: Money.ofMinor('EUR', 100n),
    inBase: null,
    account: '1400',
    contra: '8400',
    taxKey: null,
    date: '2031-06-15',
    reference,
    corrected: '',
    text,
  })
  const fields = new TextDecoder('windows-1252').decode(line).split(';')
  return [fields[10] ?? '', fields[13] ?? '']
}

test.each([
  ['Käufer “A” & €', '"Käufer “A” & €"'],
  ['Ka\u0308ufer', '"Käufer"'],
  ['Dvořák Kft. Győr', '"Dvorák Kft. Gyor"'],
  ['東京 𝒜', '"?? A"'],
  ['a\r\nb\u0000c\u0085d', '"a  b c d"'],
  ['The "Tea"', '"The ""Tea"""'],
  ['x'.repeat(61), `"${'x'.repeat(60)}"`],
])('the text %j is in the code page, on one line and not too long', (text, field) => {
  expect(fieldsOf(text, 'INV-1')[1]).toBe(field)
})

test.each([
  ['INV-2031-000001', '"INV-2031-000001"'],
  ['-+R/1_é', '"R/1"'],
  [`${'x'.repeat(40)}-000017`, `"${'x'.repeat(29)}-000017"`],
])('the reference %j has only characters that the field takes, and its end', (reference, field) => {
  expect(fieldsOf('A', reference)[0]).toBe(field)
})
