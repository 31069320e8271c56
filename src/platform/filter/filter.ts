import { parse, SyntaxError as ParserSyntaxError } from './filter-parser.js'

/**
 * The `filter` of lists (decisions, section 1): the language of AIP-160. `OR` binds tighter than `AND`, comparisons
 * beside each other mean `AND`, `NOT` and `-` negate. `field:*` asks whether the field has a value. What a `*` in a value
 * means is for the field's type to say; with a backslash before it, it is a character like any other.
 */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | FilterPresence
  | FilterComparison

interface FilterPresence {
  readonly kind: 'presence'
  readonly field: string
  /** Of the field in the filter, in characters, the first being 1. */
  readonly position: number
}

export interface FilterComparison {
  readonly kind: 'comparison'
  readonly field: string
  readonly comparator: Comparator
  /** Without quotes and escapes. */
  readonly value: string
  /** The value between its `*`; those that were escaped stand in the pieces. */
  readonly pieces: readonly string[]
  readonly position: number
  readonly valuePosition: number
}

export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | ':'

const MAX_FILTER_LENGTH = 1000
const MAX_FILTER_COMPARISONS = 50

/** Why a filter is refused: a 400 whose message names the position. */
export class FilterProblem extends Error {
  /** In characters (code points), the first being 1. */
  readonly position: number

  constructor(problem: string, position: number) {
    super(`at character ${position}: ${problem}`)
    this.name = 'FilterProblem'
    this.position = position
  }
}

/**
 * Reads a filter. An empty one is `and` of nothing, which everything matches. In what is answered no `and` stands
 * directly in an `and` and no `or` in an `or`. Throws FilterProblem.
 */
export function parseFilter(text: string): FilterNode {
  const length = countCharacters(text)
  if (length > MAX_FILTER_LENGTH) {
    throw new FilterProblem(`a filter has at most ${MAX_FILTER_LENGTH} characters`, MAX_FILTER_LENGTH + 1)
  }
  const nul = text.indexOf('\0')
  if (nul >= 0)
    throw new FilterProblem('the character NUL is not allowed', countCharacters(text.slice(0, nul)) + 1)
  try {
    return parse(text, { maxComparisons: MAX_FILTER_COMPARISONS }) as FilterNode
  } catch (error) {
    if (!(error instanceof ParserSyntaxError)) throw error
    const problem = error.message.replace(/^Expected/, 'expected').replace(/\.$/, '')
    throw new FilterProblem(problem, countCharacters(text.slice(0, error.location.start.offset)) + 1)
  }
}

function countCharacters(text: string): number {
  return [...text].length
}
