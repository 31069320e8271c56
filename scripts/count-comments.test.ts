import { expect, test } from 'vitest'
import { countComments } from './count-comments.ts'

test('a block comment counts as one, whatever its length', () => {
  expect(countComments('/** One. */\nconst a = 1\n/**\n * Two,\n * still two.\n */\nconst b = 2')).toBe(2)
})

test('consecutive line comments count as one, and code or an empty line separates them', () => {
  expect(countComments('// One,\n  // still one.\nconst a = 1\n// Two.\n\n// Three.')).toBe(3)
})

test('a line comment inside a block comment and a comment after code do not count', () => {
  expect(countComments("/*\n// inside\n*/\nconst url = 'http://example.com' // after code")).toBe(1)
})
