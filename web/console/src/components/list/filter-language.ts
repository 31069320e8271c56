/** The comparisons that the filter bar shows. Several values mean "one of". */
export interface Condition {
  readonly field: string
  readonly comparator: Comparator
  readonly values: readonly string[]
}

const COMPARATORS = ['!=', '<=', '>=', '=', '<', '>', ':'] as const
export type Comparator = (typeof COMPARATORS)[number]

/** Writes a filter of AIP-160. */
export function writeFilter(conditions: readonly Condition[]): string {
  return conditions.map(writeCondition).join(' AND ')
}

function writeCondition({ field, comparator, values }: Condition): string {
  const comparisons = values.map((value) => `${field} ${comparator} ${quote(value)}`)
  return comparisons.length === 1 ? (comparisons[0] ?? '') : `(${comparisons.join(' OR ')})`
}

function quote(value: string): string {
  return /^[\w.+-]+$/.test(value) && !/^(AND|OR|NOT)$/.test(value)
    ? value
    : `"${value.replace(/["\\]/g, '\\$&')}"`
}

/** Conditions joined by AND, or undefined for a filter that is more than the filter bar can show. */
export function readFilter(text: string): Condition[] | undefined {
  const tokens = tokenize(text)
  if (tokens === undefined) return undefined
  const conditions: Condition[] = []
  let at = 0
  const comparison = (): Condition | undefined => {
    const [field, comparator, value] = tokens.slice(at, at + 3)
    if (field?.kind !== 'word' || comparator?.kind !== 'comparator') return undefined
    if (value?.kind !== 'word' && value?.kind !== 'string') return undefined
    if (!/^[A-Za-z_][\w.]*$/.test(field.text) || /^(AND|OR|NOT)$/.test(field.text)) return undefined
    at += 3
    return { field: field.text, comparator: comparator.text as Comparator, values: [value.text] }
  }
  while (at < tokens.length) {
    if (conditions.length > 0 && tokens[at]?.text === 'AND') at++
    const isGroup = tokens[at]?.text === '(' && tokens[at]?.kind === 'parenthesis'
    if (isGroup) at++
    let condition = comparison()
    if (condition === undefined) return undefined
    while (tokens[at]?.kind === 'word' && tokens[at]?.text === 'OR') {
      at++
      const other = comparison()
      if (other?.field !== condition.field || other.comparator !== condition.comparator) return undefined
      condition = { ...condition, values: [...condition.values, ...other.values] }
    }
    if (isGroup && tokens[at++]?.text !== ')') return undefined
    conditions.push(condition)
  }
  return conditions
}

interface Token {
  readonly kind: 'word' | 'string' | 'comparator' | 'parenthesis'
  readonly text: string
}

const TOKEN =
  /\s*(?:(!=|<=|>=|[=<>:])|([()])|"((?:[^"\\*]|\\.)*)"|([^\s()"',<>=!:*]+(?::[^\s()"',<>=!*]*)?))\s*/y

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const trimmed = text.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const match = TOKEN.exec(trimmed)
    if (match === null) return undefined
    const [, comparator, parenthesis, string, word] = match
    if (comparator !== undefined) tokens.push({ kind: 'comparator', text: comparator })
    else if (parenthesis !== undefined) tokens.push({ kind: 'parenthesis', text: parenthesis })
    else if (string !== undefined) tokens.push({ kind: 'string', text: string.replace(/\\(.)/g, '$1') })
    else if (word !== undefined) {
      // `state:open` has no spaces around the comparator.
      const parts = tokens.at(-1)?.kind === 'comparator' ? null : /^([A-Za-z_][\w.]*):(.*)$/.exec(word)
      if (parts === null) tokens.push({ kind: 'word', text: word })
      else {
        tokens.push({ kind: 'word', text: parts[1] ?? '' }, { kind: 'comparator', text: ':' })
        if (parts[2] !== '') tokens.push({ kind: 'word', text: parts[2] ?? '' })
      }
    }
  }
  return tokens
}

/** The conditions as query members, for lists without a `filter`. */
export function plainQuery(filter: string | undefined): Record<string, string> {
  const conditions = readFilter(filter ?? '') ?? []
  return Object.fromEntries(conditions.map(({ field, values }) => [field, values[0] ?? '']))
}
