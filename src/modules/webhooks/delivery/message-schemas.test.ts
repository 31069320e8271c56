import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import { firstProblem } from '#platform/http/validation/schema-problem'
import { EVENTS } from '../model/event-types.ts'
import { IDENTIFIERS } from './identifiers.ts'
import { MESSAGE_SCHEMAS } from './message-schemas.ts'

// Proves reference/events#payloads.

const base = { timestamp: '2026-01-01T00:00:00.000Z', sequence: 1 }

test.each(Object.entries(EVENTS))('a truncated %s message identifies every object', (type, data) => {
  const schema = MESSAGE_SCHEMAS[type]
  if (schema === undefined) throw new Error(`${type} has no schema`)
  const unidentified = Object.fromEntries(Object.keys(data.properties).map((resource) => [resource, {}]))
  for (const [resource, { properties }] of Object.entries(data.properties as Record<string, TObject>)) {
    expect(Object.keys(properties).filter((member) => IDENTIFIERS[resource]?.includes(member))).not.toEqual(
      [],
    )
  }
  const message = { ...base, type, object_id: 'x', data: unidentified, truncated: true }
  expect(firstProblem(schema, message)).toMatchObject({ path: expect.stringMatching(/^data/) as unknown })
})

test('a truncated message has a valid body, and a body without object_id is invalid', () => {
  const schema = MESSAGE_SCHEMAS['transaction.succeeded']
  if (schema === undefined) throw new Error('transaction.succeeded has no schema')
  const message = {
    ...base,
    type: 'transaction.succeeded',
    data: { order: { number: 'ord_1', reference_number: 'R-1' }, transaction: { uuid: 'txn_1' } },
    truncated: true,
  }
  expect(firstProblem(schema, { ...message, object_id: 'ord_1' })).toBeUndefined()
  expect(firstProblem(schema, message)).toMatchObject({ path: 'object_id' })
})
