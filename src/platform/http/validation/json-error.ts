const BLANKS = /[ \t\n\r]*/y
/** No part backtracks: a string also matches without its end, which is checked after. */
const TOKEN =
  /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\p{Cc}]*)*("?)|([{}[\]:,])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** Says where a text stops being JSON, without quoting it; undefined if it is JSON. Linear in the text. */
export function whereJsonFails(json: string): string | undefined {
  const offset = offsetOfError(json)
  if (offset === undefined) return undefined
  const before = json.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  return json.slice(offset).trim() === ''
    ? `it ends at line ${line}, column ${column}, before it is complete`
    : `see line ${line}, column ${column}`
}

function offsetOfError(json: string): number | undefined {
  const open: string[] = []
  let expected: readonly (string | undefined)[] = ['value']
  for (let at = endOf(BLANKS, json, 0); ; at = endOf(BLANKS, json, at)) {
    TOKEN.lastIndex = at
    const [token, quote, mark] = TOKEN.exec(json) ?? []
    if (token === undefined) return at === json.length && expected.length === 0 ? undefined : at
    const kind = mark ?? (quote !== undefined && expected.includes('name') ? 'name' : 'value')
    if (!expected.includes(kind === '{' || kind === '[' ? 'value' : kind)) return at
    at += token.length
    if (quote === '') return at
    expected = expectedAfter(kind, open)
  }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  pattern.test(text)
  return pattern.lastIndex
}

/** @param open the marks that will close what is open */
function expectedAfter(kind: string, open: string[]): readonly (string | undefined)[] {
  switch (kind) {
    case '{':
      open.push('}')
      return ['name', '}']
    case '[':
      open.push(']')
      return ['value', ']']
    case ':':
      return ['value']
    case 'name':
      return [':']
    case ',':
      return [open.at(-1) === '}' ? 'name' : 'value']
    case '}':
    case ']':
      open.pop()
  }
  return open.length === 0 ? [] : [',', open.at(-1)]
}
