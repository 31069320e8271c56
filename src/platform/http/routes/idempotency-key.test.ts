import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseJson } from '#kernel/json'
import { idempotencyOf } from '#platform/http/routes/idempotency-key'
import { ringKey } from '#platform/security/keyring'

const TARGET = '/customers/c/payment_tokens'
const KEY = ringKey(randomBytes(32))

function idempotency(card: object, keys = [KEY]) {
  return idempotencyOf('k', `POST ${TARGET}`, TARGET, { payment_token: { credit_card: card } }, keys)
}

// Proves reference/conventions#idempotency.
test('a fingerprint depends on the card number and not on the CVC, which is stored in no form', () => {
  const first = idempotency({ number: '4242424242424242', cvc: '123' })
  expect(idempotency({ number: '4242424242424242', cvc: '999' })).toEqual(first)
  expect(idempotency({ number: '4242424242424242' })).toEqual(first)
  expect(idempotency({ number: '5555555555554444', cvc: '123' }).fingerprint).not.toBe(first.fingerprint)
})

test('a fingerprint cannot be computed without the key', () => {
  const { fingerprint } = idempotency({ number: '4242424242424242' })
  expect(idempotency({ number: '4242424242424242' }, [ringKey(randomBytes(32))]).fingerprint).not.toBe(
    fingerprint,
  )
  const canonical = [['payment_token', [['credit_card', [['number', '4242424242424242']]]]]]
  const hash = createHash('sha256')
    .update(`${TARGET}\n${JSON.stringify(canonical)}`)
    .digest('base64url')
  expect(fingerprint).not.toBe(hash)
})

test('after a key rotation the previous fingerprint is among the older ones', () => {
  const before = idempotency({ number: '4242424242424242' })
  const after = idempotency({ number: '4242424242424242' }, [ringKey(randomBytes(32)), KEY])
  expect(after.fingerprint).not.toBe(before.fingerprint)
  expect(after.olderFingerprints).toEqual([before.fingerprint])
})

test('a fingerprint stays the same from version to version, whatever the body', () => {
  const key = { id: 'fixed', secret: Buffer.alloc(32, 7) }
  const long = '€"\\\n\u0001😀x'.repeat(30_000)
  const fingerprintOf = (body: unknown) => idempotencyOf('key', 'POST /x', '/x?y', body, [key]).fingerprint
  expect([
    fingerprintOf({}),
    fingerprintOf(parseJson('{"b":[1.50,{"z":null,"a":"é"},[]],"a":true,"cvc":"123"}')),
    fingerprintOf({ text: long, list: [`x${long}`, `xx${long}`, 1] }),
  ]).toEqual([
    'jYllhD2-cD6BYIqDtbZKFMmuioeEJY9zvf119_oMN5A',
    'npuquF1Q1loynxjtOI1RozyCM1sPktp-mbqVnYib0OA',
    'XcMEyWCwhEzoXipVS-6UHZZ8uoUbHCLhZxxamsAKy8k',
  ])
})
