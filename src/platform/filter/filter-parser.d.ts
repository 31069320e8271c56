/** Of filter-parser.js, which is made from filter.peggy. */
export interface ParserLimits {
  readonly maxComparisons: number
}

/** Answers a FilterNode. Throws the SyntaxError below. */
export function parse(text: string, limits: ParserLimits): unknown

export class SyntaxError extends globalThis.SyntaxError {
  /** `offset` counts UTF-16 units from 0. */
  readonly location: { readonly start: { readonly offset: number } }
}
