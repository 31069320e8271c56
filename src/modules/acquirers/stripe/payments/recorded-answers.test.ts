import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { acquirerData, NEEDS_DATA } from '../../../../../twins/common/acquirer-data.ts'
import { readInstrument } from '../verifications/read-instrument.ts'
import { readIntent, readIntentStep } from './read-intent.ts'
import { readRefund } from './read-refund.ts'
import type { Members } from '../../port/members.ts'
import { membersOf, safeMessage } from '../wire/members.ts'

// Proves reference/acquirers#stripe.

interface Recorded {
  readonly method: string
  readonly path: string
  readonly request: string | null
  readonly status: number
  readonly answer: Members
}

const FILE = acquirerData('stripe/recorded-answers.json')
const RECORDED: readonly Recorded[] =
  FILE === undefined ? [] : (JSON.parse(readFileSync(FILE, 'utf8')) as readonly Recorded[])

describe.skipIf(FILE === undefined)(`Stripe's recorded answers ${NEEDS_DATA}`, () => {
  const objects = RECORDED.filter(({ status }) => status === 200).map(({ answer }) => answer)
  const ofType = (type: string) => objects.filter((object) => object.object === type)
  const intents = ofType('payment_intent').map((object) => ({ object, intent: readIntent(object) }))

  test('every payment intent and setup intent is read', () => {
    expect(intents.length).toBeGreaterThan(40)
    for (const { object, intent } of [
      ...intents,
      ...ofType('setup_intent').map((one) => ({ object: one, intent: readIntent(one) })),
    ]) {
      expect(intent?.record.gatewayTransactionId).toBe(object.id)
    }
  })

  test('states, charges and authorization codes are those of the answers', () => {
    const captured = intents.find(({ object }) => object.id === 'pi_3SRzr4KXBGcbgpbZ00RsiEOa')
    expect(captured?.intent).toMatchObject({
      state: 'done',
      capturedMinor: 2900n,
      decline: null,
      record: {
        rrn: 'ch_3SRzr4KXBGcbgpbZ0SZ3W1ON',
        authCode: '054471',
        responseCode: 'succeeded',
        responseMessage: 'Payment complete.',
      },
    })
    const held = intents.filter(({ object }) => object.status === 'requires_capture')
    expect(held.length).toBeGreaterThan(0)
    for (const { intent } of held) expect(intent).toMatchObject({ state: 'held', capturedMinor: 0n })
  })

  test('a charge that is not expanded is known by its id', () => {
    const plain = intents.filter(({ object }) => typeof object.latest_charge === 'string')
    expect(plain.length).toBeGreaterThan(0)
    for (const { object, intent } of plain) {
      expect(intent?.record).toMatchObject({ rrn: object.latest_charge, authCode: '' })
    }
  })

  test('older versions list the charges of an intent', () => {
    const older = intents.filter(
      ({ object }) => object.charges !== undefined && object.status === 'succeeded',
    )
    expect(older.length).toBeGreaterThan(0)
    for (const { intent } of older) expect(intent?.record.rrn).toMatch(/^ch_/)
  })

  test('the payer is sent to the URL of a redirect, and to nothing that only a script can follow', () => {
    const waiting = intents.filter(({ object }) => object.status === 'requires_action')
    expect(waiting.length).toBeGreaterThan(5)
    for (const { object, intent } of waiting) {
      const redirect = membersOf(membersOf(object.next_action).redirect_to_url)
      const action = redirect.url === undefined ? null : { type: 'three_d_secure', url: redirect.url }
      expect(intent).toMatchObject({ state: 'action', action })
    }
    expect(new Set(waiting.map(({ intent }) => intent?.action === null))).toEqual(new Set([true, false]))
  })

  test('refunds and attached cards are read', () => {
    const refunds = ofType('refund')
    expect(refunds.length).toBeGreaterThan(0)
    for (const refund of refunds) {
      expect(readRefund(refund)?.outcome).toMatchObject({
        kind: 'approved',
        gatewayTransactionId: refund.id,
        rrn: refund.charge,
      })
    }
    const cards = ofType('payment_method').filter(({ type }) => type === 'card')
    expect(cards.length).toBeGreaterThan(50)
    for (const method of cards) {
      const card = membersOf(method.card)
      expect(readInstrument(method, null)).toMatchObject({
        id: method.id,
        payerReference: method.customer,
        brand: card.brand,
        last4: card.last4,
        country: card.country,
      })
    }
    for (const method of ofType('payment_method').filter(({ type }) => type !== 'card')) {
      expect(readInstrument(method, null)).toBeNull()
    }
  })

  test.each([
    [402, 'declined', 'generic_decline'],
    [404, 'refused', 'resource_missing'],
    [400, 'refused', 'parameter_invalid_integer'],
    [401, 'refused', 'not_authorized'],
  ])('an error of status %i is %s', (status, kind, responseCode) => {
    const errors = RECORDED.filter((recorded) => recorded.status === status)
    expect(errors.length).toBeGreaterThan(0)
    for (const { answer } of errors) {
      const error = membersOf(answer.error)
      const step = readIntentStep({ kind: 'error', status, error })
      expect(step.kind).toBe(kind)
      const outcome = step.kind === 'declined' ? step.decline.outcome : step
      expect(outcome).toMatchObject({ responseCode, responseMessage: safeMessage(error.message) })
    }
  })
})
