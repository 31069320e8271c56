import { expect, test } from 'vitest'
import { firstProblem } from '#platform/http/validation/schema-problem'
import { EXPECTED } from '#platform/http/validation/schemas'
import { composeUnconnected } from './compose-unconnected.ts'

// Proves reference/operations#health.
test('the documented example of every request body is valid', async () => {
  const { routes } = await composeUnconnected()
  const withBody = routes.filter(({ body }) => body !== undefined)
  expect(withBody.length).toBeGreaterThan(20)
  const invalid = withBody.filter(({ body, example }) => firstProblem(body ?? {}, example) !== undefined)
  expect(invalid.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

function* formattedStrings(schema: unknown, path: string): Generator<{ path: string; isDescribed: boolean }> {
  if (typeof schema !== 'object' || schema === null) return
  if ('type' in schema && schema.type === 'string' && ('pattern' in schema || 'format' in schema)) {
    yield { path, isDescribed: EXPECTED in schema }
  }
  for (const [member, value] of Object.entries(schema)) yield* formattedStrings(value, `${path}.${member}`)
}

// Proves reference/conventions#errors.
test('every string with a pattern or a format describes the expected value for error messages', async () => {
  const { routes } = await composeUnconnected()
  const strings = routes.flatMap(({ method, path, headers, params, query, body }) => [
    ...formattedStrings({ headers, params, query, body }, `${method} ${path}`),
  ])
  expect(strings.length).toBeGreaterThan(20)
  expect(strings.filter(({ isDescribed }) => !isDescribed).map(({ path }) => path)).toEqual([])
})
