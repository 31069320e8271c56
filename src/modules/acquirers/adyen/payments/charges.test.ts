import { beforeEach, describe, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { Outcome } from '../../port/port.ts'
import {
  card,
  chargeCall,
  followUp,
  lookup,
  startAdyenTwin,
  THREE_D_SECURE,
  verifyCall,
} from '../testing/adyen-twin.ts'
import { said } from '../../testing/said.ts'

// Proves reference/acquirers#adyen.
const { twin, acquirer, connect, booked, receiveNotices, noticesOf } = await startAdyenTwin()

beforeEach(() => twin.setFaults({}))

async function approvedReference(outcome: Promise<Outcome>): Promise<string> {
  const approved = await outcome
  if (approved.kind !== 'approved') throw new Error(said(approved))
  return approved.gatewayTransactionId
}

describe('a sale', () => {
  test('is authorized, its reference is committed, and then it is captured', async () => {
    const { request, committed } = chargeCall()
    const steps: (string | string[])[] = []
    const outcome = await acquirer.sale({
      ...request,
      commitReference: async (reference) => {
        steps.push(await booked(request.key))
        return request.commitReference(reference)
      },
    })
    expect(outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: committed() })
    expect(outcome).toMatchObject({ authCode: expect.stringMatching(/^\d{6}$/), responseCode: 'Authorised' })
    expect(steps).toEqual([['authorization 10.00 approved']])
    expect(await booked(request.key)).toEqual(['authorization 10.00 approved', 'capture 10.00 approved'])
  })

  test('is not captured when somebody else has taken over', async () => {
    const { request } = chargeCall({ commitReference: async () => false })
    expect(said(await acquirer.sale(request))).toBe('unknown')
    expect(await booked(request.key)).toEqual(['authorization 10.00 approved'])
  })

  test('sent again under its key moves money once', async () => {
    const { request } = chargeCall()
    const first = await acquirer.sale(request)
    expect(await acquirer.sale(request)).toEqual(first)
    expect(await booked(request.key)).toEqual(['authorization 10.00 approved', 'capture 10.00 approved'])
  })

  test.each([
    ['DECLINED', 'declined 2'],
    ['NOT_ENOUGH_BALANCE', 'declined 12'],
    ['BLOCK_CARD', 'declined 5 hard'],
    ['CARD_EXPIRED', 'declined 6'],
    ['ERROR', 'declined 4'],
    ['FRAUD_CANCELLED', 'declined 22'],
    ['UNKNOWN', 'declined 0'],
  ])('that the bank answers with %s is %s', async (holderName, result) => {
    const { request, committed } = chargeCall({ instrument: card(holderName) })
    expect(said(await acquirer.sale(request))).toBe(result)
    expect(committed()).toBeNull()
    expect(await booked(request.key)).toEqual(['authorization 10.00 declined'])
  })

  test('in a currency whose minor unit is Adyen’s own is booked with its own value', async () => {
    const { request } = chargeCall({ amount: Money.ofDecimal('ISK', '1500') })
    expect(said(await acquirer.sale(request))).toBe('approved Authorised')
    const impossible = chargeCall({ amount: Money.ofDecimal('IDR', '10.50') })
    expect(said(await acquirer.sale(impossible.request))).toBe('refused invalid_request')
  })

  test('with the card component’s data passes on what Adyen knows and nothing else', async () => {
    const method = {
      type: 'scheme',
      encryptedCardNumber: 'test_4111111111111111',
      encryptedExpiryMonth: 'test_03',
      encryptedExpiryYear: 'test_2030',
      encryptedSecurityCode: 'test_737',
      holderName: 'Chan Tai Man',
    }
    const pay = (data: unknown) => {
      const { request } = chargeCall({ instrument: { type: 'component', data: JSON.stringify(data) } })
      return acquirer.sale(request).then(said)
    }
    expect(await pay({ ...method, storedPaymentMethodId: 'someone else’s', invented: 1 })).toBe(
      'approved Authorised',
    )
    expect(await pay({ paymentMethod: method })).toBe('approved Authorised')
    expect(await pay({ ...method, encryptedCardNumber: undefined })).toBe('refused invalid_request')
    expect(await pay({ ...method, type: 'giftcard' })).toBe('refused invalid_request')
    expect(await pay('no object')).toBe('refused invalid_request')
  })

  test('with a wallet is refused without a call', async () => {
    const { request } = chargeCall({ instrument: { type: 'wallet_b', autoDebit: false } })
    expect(said(await acquirer.sale(request))).toBe('refused invalid_request')
    expect(await booked(request.key)).toEqual([])
  })
})

describe('an answer that is lost or fails', () => {
  test.each([
    ['lose_answer', 'POST /v72/payments$', 'unknown', ['authorization 10.00 approved']],
    ['fail_after', 'POST /v72/payments$', 'unknown', ['authorization 10.00 approved']],
    ['fail_before', 'POST /v72/payments$', 'unknown', []],
    ['rate_limit', 'POST /v72/payments$', 'unknown', []],
    ['lose_answer', 'captures$', 'unknown', ['authorization 10.00 approved', 'capture 10.00 approved']],
    ['fail_before', 'captures$', 'unknown', ['authorization 10.00 approved']],
  ] as const)('%s of %s leaves a sale %s', async (fault, match, result, books) => {
    await twin.setFaults({ [fault]: 1, match })
    const { request } = chargeCall()
    expect(said(await acquirer.sale(request))).toBe(result)
    expect(await booked(request.key)).toEqual(books)
  })

  test('an explicit 4xx is refused, and nothing is booked', async () => {
    const { request } = chargeCall({ instrument: card('Chan Tai Man', '4111111111111112') })
    const outcome = await acquirer.sale(request)
    expect(said(outcome)).toBe('refused 101')
    expect(JSON.stringify(outcome)).not.toContain('4111111111111112')
    expect(await booked(request.key)).toEqual([])
  })

  test('after ten failures no new payment is begun, and it is refused', async () => {
    const nobody = connect('http://127.0.0.1:1', 500)
    const outcomes: string[] = []
    for (let n = 0; n < 12; n++) outcomes.push(said(await nobody.sale(chargeCall().request)))
    expect(outcomes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'unknown'))
    expect(outcomes.slice(10)).toEqual(['refused not_sent', 'refused not_sent'])
    await nobody.disconnect()
  })
})

describe('an authorization', () => {
  test('holds the amount until it is captured, in part, once', async () => {
    const { request } = chargeCall()
    const psp = await approvedReference(acquirer.authorize(request))
    expect(await booked(request.key)).toEqual(['authorization 10.00 approved'])
    const capture = followUp(psp, '4.00')
    const captured = await acquirer.capture(capture)
    expect(captured).toMatchObject({ kind: 'approved', gatewayTransactionId: psp, responseCode: 'received' })
    expect(await acquirer.capture(capture)).toEqual(captured)
    expect(await booked(capture.key)).toEqual(['capture 4.00 approved'])
    const refund = followUp(psp, '1.50')
    expect(await acquirer.refund(refund)).toMatchObject({ kind: 'approved' })
    expect(await booked(refund.key)).toEqual(['refund 1.50 approved'])
  })

  test('is voided, and the void has no outcome until its notice reports it', async () => {
    await receiveNotices()
    const { request } = chargeCall()
    const psp = await approvedReference(acquirer.authorize(request))
    const voiding = followUp(psp)
    expect(said(await acquirer.void(voiding))).toBe('pending received')
    await noticesOf(voiding.key, 'CANCELLATION')
    const question = lookup(voiding.key, { kind: 'void', originalReference: psp })
    expect(said(await acquirer.inquire(question))).toBe('approved received')
    expect(await booked(voiding.key)).toEqual(['void 10.00 approved'])
  })

  test('that does not exist refuses its follow-ups', async () => {
    for (const operation of ['capture', 'refund', 'void'] as const) {
      expect(said(await acquirer[operation](followUp('NOSUCHPAYMENT')))).toBe('refused 167')
    }
  })
})

describe('a stored card', () => {
  async function bind(holderName: string) {
    const { request } = verifyCall({ instrument: card(holderName) })
    const verified = await acquirer.verify(request)
    if (verified.kind !== 'approved' || verified.instrument === undefined) throw new Error(said(verified))
    const { id, payerReference } = verified.instrument
    return { type: 'acquirer_token', id, payerReference } as const
  }

  test('is charged with and without its payer', async () => {
    const instrument = await bind('Chan Tai Man')
    for (const payerPresent of [true, false]) {
      const { request } = chargeCall({ instrument, payerPresent })
      expect(said(await acquirer.sale(request))).toBe('approved Authorised')
    }
    const { request } = chargeCall({ instrument: { ...instrument, payerReference: 'someone' } })
    expect(said(await acquirer.sale(request))).toMatch(/^refused/)
  })

  test('whose bank wants the payer asks the payer instead of declining', async () => {
    const instrument = await bind('LATER AUTHENTICATION_REQUIRED')
    const { request, committed } = chargeCall({ instrument, payerPresent: false })
    const outcome = await acquirer.sale(request)
    expect(outcome).toMatchObject({ kind: 'pending', nextAction: { type: 'three_d_secure' } })
    expect(committed()).toMatch(/^pending:/)
    const { returnUrl: _none, ...withoutReturn } = chargeCall({ instrument, payerPresent: false }).request
    expect(said(await acquirer.sale(withoutReturn))).toBe('declined 38')
  })

  test('that needs no payer is never sent to a bank', async () => {
    const { request } = chargeCall({ instrument: card('Chan Tai Man', THREE_D_SECURE), payerPresent: false })
    expect(said(await acquirer.sale(request))).toBe('approved Authorised')
  })
})

test('a card that is saved while it pays is read from the stored payment methods where the response lacks it', async () => {
  const { acquirer: plain } = await startAdyenTwin('NoCardSummary')
  const savePayer = { customerUuid: 'cus_1', reference: null, name: 'Chan Tai Man', email: '' }
  const paid = await plain.sale(chargeCall({ savePayer }).request)
  expect(paid).toMatchObject({
    kind: 'approved',
    instrument: { payerReference: 'cus_1', brand: 'visa', last4: '1111', expMonth: 3, expYear: 2030 },
  })
})

test('what cannot be closed is sent again: capabilities say so', () => {
  const { closes, multipleCaptures, voidsCaptured } = acquirer.capabilities
  expect([...closes]).toEqual(['sale', 'authorization', 'verification'])
  expect([multipleCaptures, voidsCaptured]).toEqual([false, false])
})
