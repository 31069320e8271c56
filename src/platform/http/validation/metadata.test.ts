import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { parseJson } from '#kernel/json'
import { editMetadata, type MetadataEdit, readMetadata, storedMetadata } from './metadata.ts'
import { firstProblem } from './schema-problem.ts'
import { MetadataBody, strictObject } from './schemas.ts'

const BODY = strictObject({ metadata: MetadataBody(), name: Type.Optional(Type.String()) })

const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'x']))

function edited(current: Record<string, string> | null, edit: MetadataEdit | undefined) {
  return editMetadata(current, edit, 'order.metadata')
}

// Proves reference/conventions#metadata.
test('an edit changes the keys that it names; null and an empty text remove one', () => {
  const current = { campaign: 'spring', shop: '7', staff: 'Ada' }
  expect(edited(current, undefined)).toBe(current)
  expect(edited(current, { shop: '8', staff: null, campaign: '', desk: '2' })).toEqual({
    shop: '8',
    desk: '2',
  })
  expect(edited(current, { campaign: null, shop: null, staff: null })).toBeNull()
  expect(edited(null, {})).toBeNull()
})

test('50 keys may be left after an edit, and more are refused with the member that named them', () => {
  expect(Object.keys(edited(keys(50), { 'key 0': null, one: '1' }) ?? {})).toHaveLength(50)
  expect(() => edited(keys(50), { one: '1' })).toThrow(
    expect.objectContaining({
      status: 422,
      reason: 'too_many_metadata_keys',
      detail: expect.objectContaining({ param: 'order.metadata' }),
    }),
  )
})

test('a key that names a member of every object is a key like any other', () => {
  const edit = parseJson('{"__proto__":"a","constructor":"b","toString":"c"}') as Record<string, string>
  expect(Compile(BODY).Check({ metadata: edit })).toBe(true)
  const stored = storedMetadata(edited({ kept: 'd' }, edit))
  expect(JSON.parse(stored ?? '')).toEqual(
    JSON.parse('{"kept":"d","__proto__":"a","constructor":"b","toString":"c"}'),
  )
  expect(storedMetadata(readMetadata(stored))).toBe(stored)
})

test.each([
  ['{"metadata":{}}'],
  ['{"metadata":{"k":""}}'],
  ['{"metadata":{"k":null}}'],
  [JSON.stringify({ metadata: { ['😀'.repeat(40)]: '😀'.repeat(500) } })],
  [JSON.stringify({ metadata: keys(50) })],
])('%.60s is accepted', (json) => {
  expect(Compile(BODY).Check(parseJson(json))).toBe(true)
})

test.each([
  ['{"metadata":null}', 'metadata must be an object'],
  ['{"metadata":1.5}', 'metadata must be an object'],
  ['{"metadata":["a"]}', 'metadata must be an object'],
  ['{"metadata":{"k":1}}', 'metadata.k must be a string or null'],
  ['{"metadata":{"k":1.5}}', 'metadata.k must be a string or null'],
  ['{"metadata":{"k":{}}}', 'metadata.k must be a string or null'],
  [JSON.stringify({ metadata: { k: 'x'.repeat(501) } }), 'metadata.k must have at most 500 characters'],
  ['{"metadata":{"":"x"}}', 'metadata must have keys of 1 to 40 characters'],
  [JSON.stringify({ metadata: { ['x'.repeat(41)]: 'x' } }), 'metadata must have keys of 1 to 40 characters'],
  [JSON.stringify({ metadata: keys(51) }), 'metadata must have at most 50 members'],
])('%.60s is refused: %s', (json, expected) => {
  const body = parseJson(json)
  expect(Compile(BODY).Check(body)).toBe(false)
  const problem = firstProblem(BODY, body)
  expect(`${problem?.path} ${problem?.what}`).toBe(expected)
})
