import { PLACEHOLDERS } from '../model/placeholders.ts'

/** Between texts stand the names of placeholders. */
type Piece = { readonly text: string } | { readonly name: string; readonly written: string }

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
 * Fills a text. Values are inserted in one pass, so that none is read as a template; one that is missing leaves nothing.
 * @param show how a value stands in the text
 */
export function fill(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
  show: (value: string, name: string) => string = (value) => value,
): string {
  return piecesOf(text)
    .map((piece) => ('text' in piece ? piece.text : show(values[piece.name] ?? '', piece.name)))
    .join('')
}
