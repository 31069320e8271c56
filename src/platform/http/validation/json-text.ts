import { memberPath, nameOrPosition } from '#platform/http/validation/member-path'

/** Deeper than any schema. Bounds every recursion over a body. */
export const MAX_DEPTH = 64
/**
 * A plan of 100 cycles with 100 items each has 31,000 values. Parsing takes 2 µs or more per value and blocks
 * all other requests.
 */
const MAX_VALUES = 40_000
/** Twenty times what any object of the interface has. 39,000 names in one object take ten times as long as in 39. */
const MAX_OBJECT_MEMBERS = 1_000

interface JsonSize {
  readonly excess: 'depth' | 'values' | 'object' | undefined
  readonly members: number
}

/** Counts values and members before parsing. The counts are exact for valid JSON only. */
export function sizeOfJson(json: Uint8Array): JsonSize {
  let depth = 0
  let values = 1
  let members = 0
  let inString = false
  const ofObject = [0]
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === COLON) {
      members++
      const sent = (ofObject[depth] ?? 0) + 1
      if (sent > MAX_OBJECT_MEMBERS) return { excess: 'object', members }
      ofObject[depth] = sent
    } else if (byte === COMMA) values++
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return { excess: 'depth', members }
      ofObject[depth] = 0
      values++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  return { excess: values > MAX_VALUES ? 'values' : undefined, members }
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}[\]:,]/g

interface Container {
  readonly path: string
  readonly names: Set<string> | undefined
  index: number
  member: string
}

export function findDuplicateMember(json: string): string | undefined {
  const containers: Container[] = []
  let text = ''
  for (const [token] of json.matchAll(TOKEN)) {
    const container = containers.at(-1)
    if (token === '{' || token === '[') {
      const names = token === '{' ? new Set<string>() : undefined
      containers.push({ path: pathInside(container), names, index: 0, member: '' })
    } else if (token === '}' || token === ']') containers.pop()
    else if (token === ',' && container !== undefined) container.index++
    else if (token === ':' && container?.names !== undefined) {
      const name = JSON.parse(text) as string
      const shown = nameOrPosition(name, 'member', container.index + 1)
      container.member = memberPath(container.path, shown)
      if (container.names.has(name)) return container.member
      container.names.add(name)
    } else text = token
  }
  return undefined
}

function pathInside(container: Container | undefined): string {
  if (container === undefined) return ''
  return container.names === undefined ? `${container.path}[${container.index}]` : container.member
}
