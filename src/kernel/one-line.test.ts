import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneLine, onOneLine } from './one-line.ts'

const BREAKING = [
  '\0',
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u2029',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
]

// Proves reference/conventions#texts.
test('control characters, line breaks and bidi controls are no part of a line, and all other characters are', () => {
  for (const character of BREAKING)
    expect([character, isOneLine(`a${character}b`)]).toEqual([character, false])
  for (const text of ['', ' ', 'INV-2031/1', 'Ærø & Söhne', '茶', 'שלום', '👩‍👩‍👧', '\u00a0', '\u200b\u200d'])
    expect([text, isOneLine(text)]).toEqual([text, true])
})

test('whatever a text holds, it becomes one line, and a line stays as it is', () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...BREAKING), fc.constantFrom('a', ' ', '茶')) })
  fc.assert(
    fc.property(text, (drawn) => {
      expect(isOneLine(onOneLine(drawn))).toBe(true)
      if (isOneLine(drawn)) expect(onOneLine(drawn)).toBe(drawn)
    }),
  )
})
