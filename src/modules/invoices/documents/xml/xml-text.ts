import { XMLBuilder } from 'fast-xml-parser'

/**
 * A text, or elements by their names in the order of the schema; attributes begin with `@`. Undefined ones and those without a text are
 * left out, because networks refuse empty elements (PEPPOL-EN16931-R008).
 */
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
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(present(root) ?? {})}`
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

function present(content: XmlContent): XmlContent | undefined {
  if (typeof content === 'string') return isBlank(content) ? undefined : inXml(content)
  const all = Object.entries(content)
  const entries = all.flatMap(([name, value]): (readonly [string, XmlContent | XmlContent[]])[] => {
    if (value === undefined) return []
    const given: readonly XmlContent[] = isList(value) ? value : [value]
    const kept = given.flatMap((one): XmlContent[] => {
      const shown = present(one)
      return shown === undefined ? [] : [shown]
    })
    const [first] = kept
    return first === undefined ? [] : [[name, isList(value) ? kept : first]]
  })
  return all.length > 0 && entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function isList(value: XmlContent | readonly XmlContent[]): value is readonly XmlContent[] {
  return Array.isArray(value)
}

/** Whether nothing of a text is visible in XML. */
export function isBlank(text: string): boolean {
  return inXml(text).trim() === ''
}

function inXml(text: string): string {
  return text.toWellFormed().replace(NO_CHARACTERS, '')
}

/** What no XML document may hold (XML 1.0, section 2.2). */
// oxlint-disable-next-line no-control-regex
const NO_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
