import type { Route } from '#platform/http/routes/route'

type Operation = Pick<Route, 'method' | 'path'>

/** One mistyped word, or one letter that is missing, too many or wrong in two. Of a short word no more than a third. */
const MAX_EDITS = 2
const LETTERS_PER_EDIT = 3
const MAX_SEGMENT_LENGTH = 40

/**
 * Finds the operation that a request may have meant: another method of its path, a path that differs by a few letters, or one
 * that the path is the end of. If there is none, it finds that of the path without its last word: who asks for one order by a
 * path that the API does not have is led to the list. Every route is compared, so each comparison ends as soon as it differs by too much.
 */
export function nearestOperation(
  operations: readonly Operation[],
  method: string,
  url: string,
): Operation | undefined {
  const [path = ''] = url.split('?', 1)
  const wanted = segmentsOf(path)
  return nearestTo(operations, method, wanted) ?? nearestTo(operations, method, wanted.slice(0, -1), 0)
}

function nearestTo(
  operations: readonly Operation[],
  method: string,
  wanted: readonly string[],
  maxEdits = MAX_EDITS,
): Operation | undefined {
  let nearest: Operation | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const operation of operations) {
    const segments = segmentsOf(operation.path)
    if (segments.length < wanted.length || wanted.length === 0) continue
    const edits = editsOfPath(segments.slice(-wanted.length), wanted)
    const cost = 4 * edits + (segments.length > wanted.length ? 2 : 0) + (operation.method === method ? 0 : 1)
    if (edits > maxEdits || cost >= fewest) continue
    nearest = operation
    fewest = cost
  }
  return nearest
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** A path that only fills parameters names no operation. */
function editsOfPath(segments: readonly string[], wanted: readonly string[]): number {
  let edits = segments.every(isParameter) ? MAX_EDITS + 1 : 0
  for (const [index, segment] of segments.entries()) {
    if (edits > MAX_EDITS) return edits
    if (!isParameter(segment)) edits += editsOf(segment, wanted[index] ?? '')
  }
  return edits
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

/** The Levenshtein distance without case; more than `MAX_EDITS` for words that are too long or differ by too much in length. */
function editsOf(one: string, other: string): number {
  if (one === other) return 0
  const isFar = Math.abs(one.length - other.length) > MAX_EDITS || other.length > MAX_SEGMENT_LENGTH
  if (isFar) return MAX_EDITS + 1
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  const edits = row[b.length] ?? 0
  return edits * LETTERS_PER_EDIT > other.length ? MAX_EDITS + 1 : edits
}
