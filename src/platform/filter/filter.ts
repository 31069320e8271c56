import { parse, SyntaxError as ParserSyntaxError } from './filter-parser.js'

/**
 * A parsed `filter` in the language of AIP-160. `OR` binds tighter than `AND`, adjacent comparisons mean
 * `AND`, and `NOT` and `-` negate. `field:*` matches rows where the field has a value. The type of the field
 * decides what `*` means in a value; `\*` is an asterisk. `pieces` are the value, split at each unescaped `*`.
 */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | FilterPresence
  | FilterComparison

interface FilterPresence {
  readonly kind: 'presence'
  readonly field: string
  readonly position: number
}

export interface FilterComparison {
  readonly kind: 'comparison'
  readonly field: string
  readonly comparator: Comparator
  readonly value: string
  readonly pieces: readonly string[]
  readonly position: number
  readonly valuePosition: number
}

export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | ':'

/** Both bounds: reference/conventions#filters. */
const MAX_FILTER_LENGTH = 1000
const MAX_FILTER_COMPARISONS = 50

export class FilterProblem extends Error {
  readonly position: number

  constructor(problem: string, position: number) {
    super(`at character ${position}: ${problem}`)
    this.name = 'FilterProblem'
    this.position = position
  }
}

/**
 * An empty filter becomes an `and` without nodes, which every row matches. Nested `and`s and nested `or`s are
 * flattened. Throws FilterProblem.
 */
export function parseFilter(text: string): FilterNode {
  const length = countCharacters(text)
  if (length > MAX_FILTER_LENGTH) {
    throw new FilterProblem(
      `a filter can have at most ${MAX_FILTER_LENGTH} characters`,
      MAX_FILTER_LENGTH + 1,
    )
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
