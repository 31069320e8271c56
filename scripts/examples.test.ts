import { expect, test } from 'vitest'
import { firstProblem } from '#platform/http/validation/schema-problem'
import { composeUnconnected } from './compose-unconnected.ts'

test('every operation with a body shows one that it takes', async () => {
  const { routes } = await composeUnconnected()
  const withBody = routes.filter(({ body }) => body !== undefined)
  expect(withBody.length).toBeGreaterThan(20)
  const wrong = withBody.filter(({ body, example }) => firstProblem(body ?? {}, example) !== undefined)
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
