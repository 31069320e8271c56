import { expect, test } from 'vitest'
import { declineRule } from './declines.ts'

// Proves reference/acquirers#declines.

test.each([
  ['insufficient_funds', null, 'insufficient_funds', false],
  ['generic_decline', null, 'card_declined', false],
  ['withdrawal_count_limit_exceeded', null, 'card_velocity_exceeded', false],
  ['expired_card', null, 'expired_card', false],
  ['authentication_required', null, 'authentication_required', false],
  ['stolen_card', null, 'stolen_card', true],
  ['lost_card', null, 'lost_card', true],
  ['pickup_card', null, 'card_declined', true],
  ['invalid_account', null, 'card_declined', true],
  ['transaction_not_allowed', null, 'card_declined', true],
  ['revocation_of_all_authorizations', null, 'card_declined', true],
])('%s is ours as %3$s', (code, advice, reason, hard) => {
  expect(declineRule(code, advice)).toEqual({ reason, hard })
})

test('what is unlisted is soft', () => {
  for (const code of ['a_new_code', '', 'constructor', '__proto__']) {
    expect(declineRule(code, null)).toEqual({ reason: 'card_declined', hard: false })
  }
})

test("the issuer's advice outweighs the code", () => {
  expect(declineRule('generic_decline', 'do_not_try_again').hard).toBe(true)
  expect(declineRule('a_new_code', 'do_not_try_again').hard).toBe(true)
  expect(declineRule('transaction_not_allowed', 'try_again_later').hard).toBe(false)
  expect(declineRule('incorrect_number', 'confirm_card_data').hard).toBe(false)
  expect(declineRule('stolen_card', 'a_new_advice').hard).toBe(true)
})
