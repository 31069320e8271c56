import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { contentPolicy } from './content-policy.ts'
import { returnedMembers } from './returned.ts'

// Proves reference/pages#card-components, reference/pages#returning-payers.
test('a policy grows by exactly the origins that a component declares', () => {
  const narrow = contentPolicy({})
  expect(narrow).not.toContain('unsafe')
  const origins = {
    'script-src': ['https://js.acquirer.example'],
    'frame-src': ['https://*.acquirer.example:8443', 'http://127.0.0.1:9000'],
  }
  const wide = contentPolicy(origins)
  expect(wide).toContain("script-src 'self' https://js.acquirer.example;")
  expect(wide).toContain('; frame-src https://*.acquirer.example:8443 http://127.0.0.1:9000')
  expect(
    wide
      .replace(' https://js.acquirer.example', '')
      .replace('; frame-src https://*.acquirer.example:8443 http://127.0.0.1:9000', ''),
  ).toBe(narrow)
  expect(contentPolicy({})).toBe(narrow)
})

test.each([
  { 'script-src': ["'unsafe-inline'"] },
  { 'script-src': ['https://a.example; script-src *'] },
  { 'script-src': ['https:'] },
  { 'script-src': ['*'] },
  { 'frame-ancestors': ['https://a.example'] },
  { 'base-uri; x-src': ['https://a.example'] },
])('a component cannot widen a policy by more than origins: %j', (origins: Record<string, string[]>) => {
  expect(() => contentPolicy(origins)).toThrow('wrong origins')
})

function returnedWith(query: Record<string, unknown>) {
  return returnedMembers({ query } as FastifyRequest)
}

test('members that an acquirer added are distinguished from ours, and bounded', () => {
  expect(returnedWith({ lang: 'en', back: '1' })).toBeNull()
  const members = { payment_intent: 'pi_1', redirect_status: 'succeeded' }
  expect(returnedWith({ lang: 'en', ...members })).toEqual(members)
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, 'x']))
  expect(Object.keys(returnedWith(many) ?? {})).toHaveLength(10)
  expect(returnedWith({ 'a b': 'x', repeated: ['x', 'y'], long: 'x'.repeat(8_193) })).toEqual({})
})
