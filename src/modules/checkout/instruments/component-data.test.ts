import { expect, test } from 'vitest'
import { readComponentData } from './component-data.ts'

// Proves reference/pages#card-components.
test('Stripe’s component gives the id of a payment method and nothing else', () => {
  expect(readComponentData('stripe', 'pm_1Q0PsIJvEtkwdCNYMSaVuRz6')).toBe('pm_1Q0PsIJvEtkwdCNYMSaVuRz6')
  for (const sent of [
    '',
    'pm_',
    'tok_visa',
    'pm_1/../../refunds',
    'pm_1\n',
    'pm_é',
    `pm_${'a'.repeat(256)}`,
    '4242424242424242',
    '{"id":"pm_1"}',
  ]) {
    expect([sent, readComponentData('stripe', sent)]).toEqual([sent, null])
  }
})

test('Adyen’s component gives an object of short texts', () => {
  const sent = JSON.stringify({
    type: 'scheme',
    encryptedCardNumber: 'e'.repeat(4_000),
    sdkData: 's'.repeat(6_000),
  })
  expect(readComponentData('adyen', sent)).toBe(sent)
  for (const wrong of [
    '',
    'null',
    '[]',
    '{}',
    '"scheme"',
    '{"type":1}',
    '{"type":{"a":"b"}}',
    '{"type":"scheme"',
    JSON.stringify({ a: 'x'.repeat(8_193) }),
    JSON.stringify({ ['n'.repeat(65)]: 'x' }),
    JSON.stringify(Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`m${index}`, 'x']))),
  ]) {
    expect(readComponentData('adyen', wrong)).toBeNull()
  }
})
