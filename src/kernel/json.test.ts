import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactNumber, parseJson, rawNumber } from './json.ts'

/** Any JSON number whose exponent `integerOf` can multiply out. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/), fc.stringMatching(/^\.0{1,20}$/)),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: -40, max: 40 }).map((e) => `e${e}`),
      fc.nat(30).map((e) => `E+${e}`),
    ),
  )
  .map((parts) => parts.join(''))

/** The integer value of the text, computed with bigint; undefined if it has a fraction. */
function integerOf(text: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const unscaled = BigInt(whole.replace('-', '') + fraction)
  const power = BigInt(exponent) - BigInt(fraction.length)
  const scale = 10n ** (power < 0n ? -power : power)
  if (power < 0n && unscaled % scale !== 0n) return undefined
  const magnitude = power < 0n ? unscaled / scale : unscaled * scale
  return text.startsWith('-') ? -magnitude : magnitude
}

// Proves reference/conventions#money.
test('a number becomes a double if and only if it is a safe integer by value', () => {
  fc.assert(
    fc.property(numberText, (text) => {
      const parsed = parseJson(text)
      const integer = integerOf(text)
      const safe =
        integer !== undefined &&
        integer <= BigInt(Number.MAX_SAFE_INTEGER) &&
        integer >= BigInt(Number.MIN_SAFE_INTEGER)
      if (safe) expect(typeof parsed === 'number' ? BigInt(parsed) : parsed).toBe(integer)
      else expect(parsed).toEqual(new ExactNumber(text))
    }),
    { numRuns: 2000 },
  )
})

test('numbers that only look like integers after rounding keep their digits', () => {
  for (const text of ['0.1', '9007199254740993', '1.0000000000000000001', '1e-400', '1e999', '4.5e0']) {
    expect(JSON.stringify(parseJson(`{"n":${text}}`))).toBe(`{"n":${text}}`)
  }
  expect(parseJson('[1.0, 1e2, 120e-1, 0.0, 9007199254740991]')).toEqual([1, 100, 12, 0, 9007199254740991])
})

test('every value survives parsing and serializing', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = JSON.stringify(parseJson(text))
      expect(JSON.parse(written)).toEqual(JSON.parse(text))
      expect(JSON.stringify(parseJson(written))).toBe(written)
    }),
  )
})

test('a long number is parsed in linear time', () => {
  expect(parseJson(`1.${'0'.repeat(500_000)}1`)).toBeInstanceOf(ExactNumber)
})

test('a raw number is written as a JSON number with its digits', () => {
  expect(JSON.stringify({ total: rawNumber('150.50') })).toBe('{"total":150.50}')
  expect(() => rawNumber('1; drop')).toThrow(SyntaxError)
})
