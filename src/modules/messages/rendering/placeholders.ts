import { betweenValues } from '#kernel/say'
import { PLACEHOLDERS } from '../model/placeholders.ts'

/** A piece of a template: a text, or the name of a placeholder. */
type Piece = { readonly text: string } | { readonly name: string; readonly written: string }
type FilledPiece = { readonly text: string } | { readonly name: string; readonly value: string }
type Values = Readonly<Record<string, string | undefined>>

const KNOWN: ReadonlySet<string> = new Set(PLACEHOLDERS)

/** Splits a text at its `{{name}}`. Blanks around a name do not count. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('{{', at)
    const end = start < 0 ? -1 : text.indexOf('}}', start + 2)
    if (end < 0) break
    if (start > at) pieces.push({ text: text.slice(at, start) })
    const written = text.slice(start, end + 2)
    pieces.push({ name: written.slice(2, -2).trim(), written })
    at = end + 2
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

const MAX_NAMED = 20
const MAX_NAME_LENGTH = 40

/** The names in `{{ }}` that no message has a value for, shortened for an error message. */
export function unknownPlaceholders(texts: readonly string[]): string[] {
  const names = texts
    .flatMap(piecesOf)
    .flatMap((piece) => ('name' in piece && !KNOWN.has(piece.name) ? [piece.name] : []))
  return [...new Set(names.map((name) => name.slice(0, MAX_NAME_LENGTH)))].slice(0, MAX_NAMED)
}

/**
 * Splits a text at its placeholders and fills them in one pass, so that no value is read as a template; one that is missing leaves
 * nothing.
 */
export function filledPieces(text: string, values: Values): FilledPiece[] {
  const pieces = piecesOf(text)
  const valueAt = (index: number) => {
    const piece = pieces[index]
    return piece === undefined || 'text' in piece ? '' : (values[piece.name] ?? '')
  }
  return pieces.map((piece, index) =>
    'text' in piece
      ? { text: betweenValues(valueAt(index - 1), piece.text, valueAt(index + 1)) }
      : { name: piece.name, value: valueAt(index) },
  )
}

/** @param show how a value stands in the text */
export function fill(
  text: string,
  values: Values,
  show: (value: string, name: string) => string = (value) => value,
): string {
  return filledPieces(text, values)
    .map((piece) => ('text' in piece ? piece.text : show(piece.value, piece.name)))
    .join('')
}
