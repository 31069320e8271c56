/** Types of filter-parser.js, which scripts/filter-parser.ts generates from filter.peggy. */
export interface ParserLimits {
  readonly maxComparisons: number
}

export function parse(text: string, limits: ParserLimits): unknown

export class SyntaxError extends globalThis.SyntaxError {
  readonly location: { readonly start: { readonly offset: number } }
}
