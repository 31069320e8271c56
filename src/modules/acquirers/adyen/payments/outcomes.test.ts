import { describe, expect, test } from 'vitest'
import { NEEDS_DATA } from '../../../../../twins/common/acquirer-data.ts'
import { examplesOf, HAS_EXAMPLES } from '../testing/examples.ts'
import { readPayment } from './outcomes.ts'

// Proves reference/acquirers#adyen.
describe.skipIf(!HAS_EXAMPLES)(`answers in Adyen's description ${NEEDS_DATA}`, () => {
  const examples = examplesOf('CheckoutService-v72')
  const example = (name: string) => {
    const found = examples.get(name)
    if (found === undefined) throw new Error(`there is no example ${name}`)
    return found
  }

  test.each([
    ['post-payments-card-direct-200', '993617895204576J', '044925', '8PQMP9VEP3H'],
    ['post-payments-card-securedfields-200', '993617895215577D', '065696', '8PQMP9VIE9N'],
    ['post-payments-subscription-first-transaction-200', '993617895199574A', '098871', '8PQMP9VD896'],
    ['post-payments-details-00.redirect-200', 'V4HZ4RBFJGXXGN82', '', ''],
  ])('%s is an authorization', (name, psp, authCode, rrn) => {
    expect(readPayment(example(name))).toMatchObject({
      kind: 'authorised',
      psp,
      record: {
        gatewayTransactionId: psp,
        rrn,
        authCode,
        batchNumber: '',
        responseCode: 'Authorised',
        responseMessage: 'Authorised',
      },
    })
  })

  test('a redirect to the bank is waiting for the payer', () => {
    expect(readPayment(example('post-payments-card-3d-secure-redirect-200'))).toMatchObject({
      kind: 'waiting',
      psp: 'JLCMPCQ8HXSKGK82',
      nextAction: {
        type: 'three_d_secure',
        url: expect.stringMatching(/^https:\/\/checkoutshopper-test\.adyen\.com\//),
      },
    })
  })
})

const ANSWER = { pspReference: 'P1', merchantReference: 'txn_1' }

test.each([
  [{ resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: '2' }, 'declined 2 Refused'],
  [
    { resultCode: 'Refused', refusalReason: 'Blocked Card', refusalReasonCode: '5' },
    'declined 5 Blocked Card hard',
  ],
  [
    { resultCode: 'Error', refusalReason: 'Acquirer Error', refusalReasonCode: '4' },
    'declined 4 Acquirer Error',
  ],
  [{ resultCode: 'Cancelled' }, 'declined Cancelled Cancelled'],
  [{ resultCode: 'Refused' }, 'declined Refused Refused'],
  [
    {
      resultCode: 'Refused',
      refusalReasonCode: '2',
      additionalData: { merchantAdviceCode: '03 : Do not try again' },
    },
    'declined 2 Refused hard',
  ],
])('%j is %s', (body, said) => {
  const result = readPayment({ ...ANSWER, ...body })
  if (result.kind !== 'declined') throw new Error(result.kind)
  const { kind, responseCode, responseMessage, hard } = result
  expect(`${kind} ${responseCode} ${responseMessage}${hard ? ' hard' : ''}`).toBe(said)
})

test.each([
  [{ resultCode: 'Received' }, 'waiting'],
  [{ resultCode: 'Pending' }, 'waiting'],
  [{ resultCode: 'PartiallyAuthorised' }, 'partly'],
  [{ resultCode: 'Authorised', pspReference: '' }, 'unknown'],
  [{ resultCode: 'ChallengeShopper' }, 'unknown'],
  [{ resultCode: 'AuthenticationFinished' }, 'unknown'],
  [{}, 'unknown'],
  [{ resultCode: 'RedirectShopper' }, 'unknown'],
  [{ resultCode: 'RedirectShopper', action: { url: 'javascript:alert(1)', method: 'GET' } }, 'unknown'],
  [{ resultCode: 'RedirectShopper', action: { url: 'https://bank.example', method: 'POST' } }, 'unknown'],
  [{ resultCode: 'RedirectShopper', action: { url: 'https://bank.example', method: 'GET' } }, 'waiting'],
])('%j is %s', (body, kind) => {
  expect(readPayment({ ...ANSWER, ...body }).kind).toBe(kind)
})

test('a card number in a refusal is masked', () => {
  const result = readPayment({
    ...ANSWER,
    resultCode: 'Refused',
    refusalReason: 'Card 4111111111111111 is blocked',
  })
  expect(JSON.stringify(result)).not.toContain('4111111111111111')
})
