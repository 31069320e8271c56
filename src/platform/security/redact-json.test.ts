import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withCheckDigit } from '#kernel/card-number'
import { redactJson } from '#platform/security/redact-json'

const secretName = fc.constantFrom(
  'cvc',
  'CVC',
  'cvc2',
  'secret',
  'api_key',
  'webhook_secret',
  'password',
  'credentials',
  'hmac_key',
)
const secretText = fc.string({ minLength: 6, maxLength: 30, unit: 'grapheme' }).map((text) => `§${text}§`)
const secretValue = fc.oneof(secretText, fc.array(secretText, { minLength: 1 }), fc.integer({ min: 100_000 }))
const cardNumber = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
  .map((digits) => withCheckDigit(digits.join('')))

function at(depth: number, name: string, value: unknown): object {
  const member = { before: 'x"}', [name]: value, after: [1.5, { kept: true }] }
  return depth === 0 ? member : { nested: [at(depth - 1, name, value)] }
}

/** Writes every character of names and texts as an escape. */
function escaped(json: string): string {
  return json.replace(
    /"(?:[^"\\]|\\.)*"/g,
    (text) =>
      `"${[...(JSON.parse(text) as string)].flatMap((character) => [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)).join('')}"`,
  )
}

// Proves reference/logs#redaction.
test('no value of a secret member survives, at any depth and in any spelling, and everything around it does', () => {
  fc.assert(
    fc.property(secretName, secretValue, fc.nat(3), fc.boolean(), (name, value, depth, isEscaped) => {
      const json = JSON.stringify(at(depth, name, value), null, depth)
      const redacted = redactJson(isEscaped ? escaped(json) : json)
      const expected = at(depth, name, '[redacted]')
      expect(JSON.parse(redacted)).toEqual(expected)
    }),
  )
})

test('no card number survives, as text, in groups, as a number, mistyped or escaped', () => {
  fc.assert(
    fc.property(cardNumber, fc.constantFrom('', ' ', '-'), fc.boolean(), (digits, separator, isEscaped) => {
      const written = digits.replace(/(\d{4})(?=\d)/g, `$1${separator}`)
      const json = JSON.stringify({ note: `card ${written}!`, number: written, list: [written] })
      const redacted = redactJson(isEscaped ? escaped(json) : json)
      expect(redacted).not.toContain(written)
      expect(Object.keys(JSON.parse(redacted) as object)).toEqual(['note', 'number', 'list'])
    }),
  )
  expect(redactJson('{"number":4242424242424242,"total":1.50}')).toBe(
    '{"number":"424242******4242","total":1.50}',
  )
  expect(redactJson('{"number":"4242424242424241"}')).toBe('{"number":"424242******4241"}')
  expect(redactJson('{"pan":"eyJhbGciOi.a.b.c.d"}')).toBe('{"pan":"[redacted]"}')
})

test('a text that was cut inside of a secret is redacted to its end', () => {
  const json = JSON.stringify({ a: 1, credentials: { secret_key: 'hush-hush', hmac_key: 'quiet' }, b: 2 })
  for (let length = 0; length < json.length; length++) {
    const redacted = redactJson(json.slice(0, length))
    for (const secret of ['hush', 'quiet']) expect(redacted).not.toContain(secret)
  }
})

test('ids, amounts, times and the description of an API key are kept', () => {
  const json =
    '{"order":{"number":"ord_01kanq3x5kf0vsd2pjtwyt7cyr","total":150.50,"paid_at":"2026-01-31T09:30:00.123Z"},' +
    '"api_key":{"id":"key_1","name":"Basic shop","scopes":["payments:read"]},"payment_token":"pmt_1","secret":null}'
  expect(redactJson(json)).toBe(json)
})

test('the token of a link is masked wherever it stands', () => {
  const link = 'https://pay.example.com/pay/ord_1.biz_1.tjz8g.1f2e3d4c.abcDEF-_123'
  expect(redactJson(JSON.stringify({ note: `see ${link}`, payment_link: link }))).toBe(
    '{"note":"see https://pay.example.com/pay/ord_1.[redacted]","payment_link":"[redacted]"}',
  )
})
