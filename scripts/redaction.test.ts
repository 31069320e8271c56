import { expect, test } from 'vitest'
import { redactJson } from '#platform/security/redact-json'
import { composeUnconnected } from './compose-unconnected.ts'

const { routes } = await composeUnconnected()

/** Members that look like secrets by their names, but are not. */
const NO_SECRETS = new Set([
  // Ids, which are worth nothing without an API key.
  'payment_token',
  'payment_tokens',
  'default_payment_token',
  'token',
  'token_type',
  'acquirer_token',
  // Public keys, and the key of `{"api_key": {"id": …}}`, beside which the secret stands.
  'key',
  'api_key',
  // A number of DATEV.
  'tax_key',
  'api_keys',
  'signing_key',
  'encryption_key',
  'idempotency_key',
  'key_id',
  'key_ops',
  // Rules about tokens.
  'token_required',
  'without_token',
  'new_token',
  // Pages of the merchant.
  'with_payment_link',
  'with_download_link',
])
const LOOKS_SECRET = /secret|password|cvc|cvv|credential|_key$|^key|token|_link$|verify_url|^pan$/i

function* membersOf(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  if ('properties' in schema && typeof schema.properties === 'object') {
    yield* Object.keys(schema.properties ?? {})
  }
  for (const value of Object.values(schema)) yield* membersOf(value)
}

// Proves reference/logs#redaction.
test('every member of a request or a reply that looks like a secret is redacted, or is listed here as harmless', () => {
  const members = new Set(routes.flatMap(({ body, data, query }) => [...membersOf({ body, data, query })]))
  expect(members.size).toBeGreaterThan(200)
  const suspects = [...members].filter((name) => LOOKS_SECRET.test(name) && !NO_SECRETS.has(name))
  expect(suspects).toContain('cvc')
  const kept = suspects.filter((name) => {
    // A masked PAN and a JWE look different, so the value is a JWE.
    const redacted = redactJson(JSON.stringify({ [name]: 'eyJhbGciOiJSU0.a.b.c.d' }))
    return redacted.includes('eyJ')
  })
  expect(kept).toEqual([])
})

/** Texts under members that must not be kept, and every run of digits that is a card number. */
function* secretsOf(value: unknown, isSecret = false): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield value
    else if (/^\d{12,19}$/.test(value)) yield value
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield* secretsOf(member, isSecret || /secret|cvc|credentials|hmac|password/.test(name))
    }
  }
}

test('no card number, CVC or secret in the example of a route survives', () => {
  let checked = 0
  for (const { method, path, example } of routes) {
    const redacted = redactJson(JSON.stringify(example ?? {}))
    for (const secret of secretsOf(example)) {
      checked++
      expect([`${method} ${path}`, redacted]).toEqual([
        `${method} ${path}`,
        expect.not.stringContaining(JSON.stringify(secret)),
      ])
    }
    expect(() => JSON.parse(redacted) as unknown).not.toThrow()
  }
  expect(checked).toBeGreaterThan(3)
})
