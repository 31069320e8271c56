import { expect, test } from 'vitest'
import { declineOf } from './declines.ts'

// Proves reference/acquirers#adyen.
test.each([
  ['12', 'Not enough balance', '', 'insufficient_funds', false],
  ['6', 'Expired Card', '', 'expired_card', false],
  ['5', 'Blocked Card', '', 'stolen_card', true],
  ['38', 'Authentication required', '', 'authentication_required', false],
  ['', 'Not enough balance', '', 'insufficient_funds', false],
  ['', 'RESTRICTED CARD', '', 'card_declined', true],
  ['2', 'Refused', '02', 'card_declined', false],
  ['2', 'Refused', '03', 'card_declined', true],
  ['12', 'Not enough balance', '21', 'insufficient_funds', true],
])('code %j, reason %j and advice %j mean %s', (code, reason, advice, word, hard) => {
  expect(declineOf(code, reason, advice)).toEqual({ reason: word, hard })
})

test('what is not listed is soft', () => {
  expect(declineOf('99', 'Something new', '')).toEqual({ reason: 'card_declined', hard: false })
  expect(declineOf('', '', '')).toEqual({ reason: 'card_declined', hard: false })
})
