import { XMLBuilder } from 'fast-xml-parser'

/** A text, or elements by their names in the order of the schema; attributes begin with `@`. Undefined ones are left out. */
type XmlContent = string | XmlElements

export interface XmlElements {
  readonly [name: string]: XmlContent | readonly XmlContent[] | undefined
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  format: true,
  indentBy: ' ',
})

export function xmlText(root: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(present(root))}`
}

export function identifier({
  scheme,
  value,
}: {
  readonly scheme: string | undefined
  readonly value: string
}): XmlContent {
  return scheme === undefined ? value : { '@schemeID': scheme, '#': value }
}

function present(content: XmlContent): XmlContent {
  if (typeof content === 'string') return content.toWellFormed().replace(NO_CHARACTERS, '')
  const entries = Object.entries(content).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [[name, Array.isArray(value) ? value.map(present) : present(value as XmlContent)] as const]
  })
  return Object.fromEntries(entries)
}

/** What no XML document may hold (XML 1.0, section 2.2). */
// oxlint-disable-next-line no-control-regex
const NO_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
