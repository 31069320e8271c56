import Type from 'typebox'
import { expect, test } from 'vitest'
import { DocumentedSchemas } from '#platform/http/openapi/schemas'
import { AmountOut, Nullable, Resource } from '#platform/http/validation/schemas'

const Line = Resource('Line', { title: Type.String(), total: AmountOut() })
const Bill = Resource('Bill', { lines: Type.Array(Line), last: Nullable(Line) })

test('a resource and its nested resources appear once, under their names', () => {
  const schemas = new DocumentedSchemas()
  expect(schemas.schemaOrReference(Bill)).toEqual({ $ref: '#/components/schemas/Bill' })
  expect(schemas.schemaOrReference(Type.Object({ line: Type.Optional(Line) }))).toEqual({
    type: 'object',
    properties: { line: { $ref: '#/components/schemas/Line' } },
  })
  const line = { $ref: '#/components/schemas/Line' }
  expect(schemas.named()).toEqual({
    Line: {
      type: 'object',
      required: ['title', 'total'],
      properties: { title: { type: 'string' }, total: { type: 'number', format: 'decimal' } },
    },
    Bill: {
      type: 'object',
      required: ['lines', 'last'],
      properties: { lines: { type: 'array', items: line }, last: { anyOf: [line, { type: 'null' }] } },
    },
  })
})

test('two different resources with one name are refused', () => {
  const schemas = new DocumentedSchemas()
  schemas.schemaOrReference(Bill)
  expect(() => schemas.schemaOrReference(Resource('Line', { total: AmountOut() }))).toThrow(
    'two resources have the name Line',
  )
})
