import { expect, test } from 'vitest'
import { declarationsOf } from './check-moves.ts'

test('imports, comments, layout and export count as none', () => {
  const before = `import { b } from '../b.ts'
/** Adds one. */
function add(n: number) { return n + b }`
  const after = `import { b } from '#modules/b'
export { c } from './c.ts'
// Adds b.
export function add(
  n: number,
) {
  return n + b
}`
  expect(declarationsOf('a.ts', after)).toEqual(declarationsOf('a.ts', before))
})

test('another body of a declaration differs under its name', () => {
  const before = declarationsOf('a.ts', 'export const LIMIT = 1\ntype A = string')
  const after = declarationsOf('a.ts', 'export const LIMIT = 2\ntype A = string')
  expect([...before.keys()]).toEqual(['LIMIT', 'A'])
  expect(after.get('LIMIT')).not.toBe(before.get('LIMIT'))
  expect(after.get('A')).toBe(before.get('A'))
})
