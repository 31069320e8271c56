import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfApiKey, isApiKey, newApiKey } from './api-key.ts'

const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const environment = fc.constantFrom('test' as const, 'live' as const)

// Proves reference/access#api-keys.
test('a key names its environment, and no two keys are equal', () => {
  fc.assert(
    fc.property(environment, (name) => {
      const key = newApiKey(name)
      expect(key).toMatch(new RegExp(`^qk_${name}_[0-9A-Za-z]{49}$`))
      expect(isApiKey(key)).toBe(true)
      expect(hashOfApiKey(key)).not.toBe(hashOfApiKey(newApiKey(name)))
    }),
  )
})

test('a key with a mistyped character, two swapped characters or missing characters is invalid', () => {
  fc.assert(
    fc.property(environment, fc.nat(48), fc.constantFrom(...CHARACTERS), (name, index, character) => {
      const key = newApiKey(name)
      const at = 'qk_test_'.length + index
      if (key[at] !== character)
        expect(isApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false)
      const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
      if (index > 0 && swapped !== key) expect(isApiKey(swapped)).toBe(false)
      expect(isApiKey(key.slice(0, -1))).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('changing the prefix does not turn a test key into a live key', () => {
  expect(isApiKey(newApiKey('test').replace('qk_test_', 'qk_live_'))).toBe(false)
})
