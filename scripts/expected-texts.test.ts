import { expect, test } from 'vitest'
import { EXPECTED } from '#platform/http/validation/schemas'
import { composeUnconnected } from './compose-unconnected.ts'

/** The paths of the strings in a schema that must have a form, and whether it says which. */
function* formsOf(schema: unknown, path: string): Generator<{ path: string; isTold: boolean }> {
  if (typeof schema !== 'object' || schema === null) return
  if ('type' in schema && schema.type === 'string' && ('pattern' in schema || 'format' in schema)) {
    yield { path, isTold: EXPECTED in schema }
  }
  for (const [member, value] of Object.entries(schema)) yield* formsOf(value, `${path}.${member}`)
}

test('whatever must have a form says which, since "must be a string" helps nobody who sent one', async () => {
  const { routes } = await composeUnconnected()
  const forms = routes.flatMap(({ method, path, headers, params, query, body }) => [
    ...formsOf({ headers, params, query, body }, `${method} ${path}`),
  ])
  expect(forms.length).toBeGreaterThan(20)
  expect(forms.filter(({ isTold }) => !isTold).map(({ path }) => path)).toEqual([])
})
