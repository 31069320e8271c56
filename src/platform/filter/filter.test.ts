import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateFilterParser, PARSER_FILE } from '../../../scripts/filter-parser.ts'
import { type FilterNode, FilterProblem, parseFilter } from './filter.ts'

const COMPARATORS = ['=', '!=', '<', '<=', '>', '>=', ':'] as const

/** The tree without its positions, which printing changes. */
function shape(node: FilterNode): unknown {
  if (node.kind === 'presence') return [node.field]
  if (node.kind === 'comparison') return [node.field, node.comparator, node.value]
  if (node.kind === 'not') return { not: shape(node.node) }
  return { [node.kind]: node.nodes.map(shape) }
}

function read(text: string): unknown {
  return shape(parseFilter(text))
}

function problemOf(text: string): FilterProblem {
  try {
    parseFilter(text)
  } catch (error) {
    if (error instanceof FilterProblem) return error
    throw error
  }
  throw new Error(`${text} was read`)
}

/** Prints a filter so that `parseFilter` returns the same tree, except for positions. */
function printFilter(node: FilterNode): string {
  if (node.kind === 'presence') return `${node.field}:*`
  if (node.kind === 'comparison') return `${node.field} ${node.comparator} ${quoted(node.pieces)}`
  if (node.kind === 'not') {
    return isSimple(node.node) ? `NOT ${printFilter(node.node)}` : `NOT (${printFilter(node.node)})`
  }
  if (node.kind === 'and') return node.nodes.map(printFilter).join(' AND ')
  return node.nodes
    .map((part) => (part.kind === 'and' ? `(${printFilter(part)})` : printFilter(part)))
    .join(' OR ')
}

function quoted(pieces: readonly string[]): string {
  return `"${pieces.map((piece) => piece.replace(/["\\*]/g, String.raw`\$&`)).join('*')}"`
}

function isSimple(node: FilterNode): boolean {
  return node.kind === 'comparison' || node.kind === 'presence'
}

const field = fc
  .stringMatching(/^[a-z_][a-z0-9_]{0,8}(\.[A-Za-z0-9_]{1,6}){0,2}$/)
  .filter((name) => !/^\d|\.\d/.test(name))
const anyValue = fc
  .oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('AND', '*', '"', "'", '\\', ''))
  .map((text) => text.replaceAll('\0', ''))
const { node: anyNode } = fc.letrec<{ node: FilterNode; leaf: FilterNode }>((tie) => ({
  leaf: fc.oneof(
    fc
      .record({
        kind: fc.constant('comparison' as const),
        field,
        comparator: fc.constantFrom(...COMPARATORS),
        pieces: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
        position: fc.constant(1),
        valuePosition: fc.constant(1),
      })
      .map((comparison) => ({ ...comparison, value: comparison.pieces.join('*') })),
    fc.record({ kind: fc.constant('presence' as const), field, position: fc.constant(1) }),
  ),
  node: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.record({ kind: fc.constant('not' as const), node: tie('node') }),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, nodes]) => ({
        kind,
        nodes: nodes.flatMap((part) => (part.kind === kind ? part.nodes : [part])),
      })),
  ),
}))

test('the committed parser is generated from the committed grammar', () => {
  expect(readFileSync(PARSER_FILE, 'utf8')).toBe(generateFilterParser())
})

test('a printed filter is parsed to the same filter', () => {
  fc.assert(
    fc.property(anyNode, (node) => {
      const text = printFilter(node)
      fc.pre([...text].length <= 1000)
      expect(read(text)).toEqual(shape(node))
      expect(printFilter(parseFilter(text))).toBe(text)
    }),
    { numRuns: 500 },
  )
})

// Proves reference/conventions#filters.
test('OR binds tighter than AND, and adjacent comparisons mean AND', () => {
  const [a, b, c, d] = [
    ['a', '=', '1'],
    ['b', '=', '2'],
    ['c', '=', '3'],
    ['d', '=', '4'],
  ]
  expect(read('a=1 AND b=2 OR c=3')).toEqual({ and: [a, { or: [b, c] }] })
  expect(read('a=1 b=2 OR c=3 AND d=4')).toEqual({ and: [a, { or: [b, c] }, d] })
  expect(read('(a=1 AND b=2) OR c=3')).toEqual({ or: [{ and: [a, b] }, c] })
  expect(read('((a = 1))')).toEqual(a)
})

test('NOT and - negate the comparison or parenthesis that follows', () => {
  const a = ['a', '=', '1']
  const b = ['b', '=', '2']
  expect(read('NOT a=1 b=2')).toEqual({ and: [{ not: a }, b] })
  expect(read('a=1 -b=2')).toEqual({ and: [a, { not: b }] })
  expect(read('-(a=1 OR b=2)')).toEqual({ not: { or: [a, b] } })
  expect(read('NOT (NOT a=1)')).toEqual({ not: { not: a } })
})

test('values are in single or double quotes, or are words with points and colons', () => {
  for (const [text, value] of [
    ['a = "it\'s"', "it's"],
    [`a = 'say "x"'`, 'say "x"'],
    [String.raw`a = "a\"b\\c"`, String.raw`a"b\c`],
    [String.raw`a = 'a\'b'`, "a'b"],
    ['a = ""', ''],
    ['a = -1.50', '-1.50'],
    ['a = 2026-02-28T10:00:00+08:00', '2026-02-28T10:00:00+08:00'],
    ['a = "*"', '*'],
    [String.raw`a = "\*"`, '*'],
    ['a = ANDROID', 'ANDROID'],
    ['a = "AND"', 'AND'],
    ['a = 陳大文', '陳大文'],
  ]) {
    expect(read(text ?? ''), text).toEqual(['a', '=', value])
  }
  expect(read('customer.uuid : x')).toEqual(['customer.uuid', ':', 'x'])
  expect(read('customer.uuid:*')).toEqual(['customer.uuid'])
  expect(read('a:"*"')).toEqual(['a', ':', '*'])
  expect(read('a:*b')).toEqual(['a', ':', '*b'])
})

test('an empty filter matches every row', () => {
  expect(read('')).toEqual({ and: [] })
  expect(read(' \t\n')).toEqual({ and: [] })
  expect(printFilter(parseFilter(' '))).toBe('')
})

test('an invalid filter names the position of the problem', () => {
  for (const [text, position] of [
    ['a', 1],
    ['a =', 4],
    ['a = 1 AND', 10],
    ['a = 1 OR OR b = 2', 10],
    ['= 1', 1],
    ['a == 1', 4],
    ['a = 1)', 6],
    ['(a = 1', 7],
    ['a = "x', 7],
    ['"a" = 1', 1],
    ['1 = a', 1],
    ['a = AND', 5],
    ['a = (1 OR 2)', 5],
    ['a = 1 b', 7],
    ['f(a) = 1', 1],
    ['AND a = 1', 1],
    ['a = "陳😀" b', 10],
    ['a = \0', 5],
  ] as const) {
    const problem = problemOf(text)
    expect([text, problem.position]).toEqual([text, position])
    expect(problem.message).toContain(`at character ${position}: `)
  }
})

test('functions, bare values and lists are named as unsupported', () => {
  expect(problemOf('regex(name, "x")').message).toContain('functions are not supported')
  expect(problemOf('open').message).toContain('a value alone is not supported')
  expect(problemOf('"open"').message).toContain('a value alone is not supported')
  expect(problemOf('state = (open)').message).toContain('a list of values is not supported')
})

test.each(['state = "open', `state = 'open`, 'state = "open\\"', `state = 'open\\`])(
  'an unclosed quote is reported: %s',
  (text) => {
    expect(problemOf(text).message).toContain('the quote is not closed')
  },
)

test('the length, the depth and the number of comparisons are bounded', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'a=1').join(' ')
  expect(() => parseFilter(many(50))).not.toThrow()
  expect(problemOf(many(51)).message).toContain('at most 50 comparisons')
  const nested = (depth: number) => `${'('.repeat(depth)}a=1${')'.repeat(depth)}`
  expect(parseFilter(nested(498))).toEqual({ ...parseFilter('a=1'), position: 499, valuePosition: 501 })
  expect(() => parseFilter(`${'NOT ('.repeat(166)}a=1${')'.repeat(166)}`)).not.toThrow()
  expect(() => parseFilter(Array.from({ length: 40 }, () => '(a=1)').join(' '))).not.toThrow()
  expect(() => parseFilter(`a = "${'😀'.repeat(994)}"`)).not.toThrow()
  expect(problemOf(`a = "${'x'.repeat(995)}"`).position).toBe(1001)
  for (const text of [
    '('.repeat(1000),
    '-('.repeat(500),
    'NOT '.repeat(250),
    'a=1 OR '.repeat(142),
    '"'.repeat(1000),
  ]) {
    expect(problemOf(text)).toBeInstanceOf(FilterProblem)
  }
})

test('any text is parsed or refused with a FilterProblem', () => {
  const token = fc.constantFrom(
    'a',
    'b.c',
    '=',
    '!=',
    ':',
    '*',
    '<',
    '(',
    ')',
    ' ',
    ' AND ',
    ' OR ',
    'NOT ',
    '-',
    '"x"',
    "'",
    '\\',
    '1',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(token, { maxLength: 40 }).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          const node = parseFilter(text)
          expect(read(printFilter(node))).toEqual(shape(node))
        } catch (error) {
          expect(error).toBeInstanceOf(FilterProblem)
        }
      },
    ),
    { numRuns: 3000 },
  )
})
