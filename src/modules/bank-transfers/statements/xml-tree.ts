import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { invalidLine } from '../errors.ts'
import { MAX_STATEMENT_LENGTH } from './statement-values.ts'

/** An element without attributes and elements is its text. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] }

/** camt.053 needs 12. */
const MAX_DEPTH = 40
const PLACE: symbol = XMLParser.getMetaDataSymbol() as never

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  removeNSPrefix: true,
  parseTagValue: false,
  htmlEntities: true,
  captureMetaData: true,
  maxNestedTags: MAX_DEPTH,
})

/** Refuses document types, so that there are no entities but those of XML itself. */
export function parseXml(text: string): Xml {
  if (text.length > MAX_STATEMENT_LENGTH) {
    throw invalidLine(1, `begins a statement of more than ${MAX_STATEMENT_LENGTH} characters`)
  }
  const doctype = /<!(?:DOCTYPE|ENTITY)/i.exec(text)
  if (doctype !== null) throw invalidLine(lineAt(text, doctype.index), 'must not declare a document type')
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw invalidLine(valid.err.line, `is not XML: ${valid.err.msg.replace(/\.$/, '')}`)
  try {
    return parser.parse(text) as Xml
  } catch {
    throw invalidLine(1, `begins XML of more than ${MAX_DEPTH} levels`)
  }
}

export function lineOf(element: Xml, text: string): number {
  const { startIndex = 0 } =
    typeof element === 'string' ? {} : ((element as Record<symbol, { startIndex?: number }>)[PLACE] ?? {})
  return lineAt(text, startIndex)
}

function lineAt(text: string, end: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** The elements of one name. */
export function elementsOf(parent: Xml | undefined, name: string): readonly Xml[] {
  if (parent === undefined || typeof parent === 'string') return []
  const found = parent[name]
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found as Xml]
}

/** The first element at a path such as `Acct/Id`. */
export function elementAt(parent: Xml | undefined, path: string): Xml | undefined {
  return path.split('/').reduce<Xml | undefined>((at, name) => elementsOf(at, name)[0], parent)
}

export function textAt(parent: Xml | undefined, path: string): string | null {
  const element = elementAt(parent, path)
  const text = typeof element === 'string' ? element : element?.['#']
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
