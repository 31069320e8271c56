import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { invalidLine } from '../errors.ts'
import { MAX_STATEMENT_LENGTH } from './statement-values.ts'

/** An element without attributes and elements is its text. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] }

/** camt.053 needs 12. */
const MAX_DEPTH = 40
/** Other requests get a turn after so many characters, a few milliseconds. */
const CHUNK_LENGTH = 64 * 1024

interface OpenElement {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly kept: Record<string, Xml[] | string> | undefined
  text: string
}

interface Reader {
  readonly onOpen: (path: string) => void
  /** Gets an element of a path that is kept, with the line on which it begins. */
  readonly onElement: (path: string, element: Xml, line: number) => void
}

/**
 * Reads a document without keeping more of it than one element at a time, of those at a path such as `Document/Stmt/Ntry`. Prefixes of
 * names are left out. Refuses document types, so that there are no entities but those of XML itself.
 */
export async function readXml(
  text: string,
  keptPaths: ReadonlySet<string>,
  { onOpen, onElement }: Reader,
): Promise<void> {
  if (text.length > MAX_STATEMENT_LENGTH) {
    throw invalidLine(1, `begins a statement of more than ${MAX_STATEMENT_LENGTH} characters`)
  }
  const doctype = /<!(?:DOCTYPE|ENTITY)/i.exec(text)
  if (doctype !== null) throw invalidLine(lineAt(text, doctype.index), 'must not declare a document type')
  const parser = new SaxesParser<{ readonly xmlns: false }>({ xmlns: false })
  const open: OpenElement[] = []
  parser.on('error', (error) => {
    throw invalidLine(parser.line, `is not XML: ${error.message.replace(/^\d+:\d+: |\.$/g, '')}`)
  })
  parser.on('opentag', ({ name: fullName, attributes }) => {
    if (open.length === MAX_DEPTH) throw invalidLine(parser.line, `has XML of more than ${MAX_DEPTH} levels`)
    const parent = open.at(-1)
    const name = fullName.slice(fullName.indexOf(':') + 1)
    const path = parent === undefined ? name : `${parent.path}/${name}`
    const isKept = parent?.kept !== undefined || keptPaths.has(path)
    open.push({ name, path, line: parser.line, kept: isKept ? keptOf(attributes) : undefined, text: '' })
    onOpen(path)
  })
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element?.kept !== undefined) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element?.kept === undefined) return
    const xml = toXml(element.kept, element.text)
    const { kept } = open.at(-1) ?? {}
    if (kept === undefined) onElement(element.path, xml, element.line)
    else append(kept, element.name, xml)
  })
  for (let start = 0; start < text.length; start += CHUNK_LENGTH) {
    parser.write(text.slice(start, start + CHUNK_LENGTH))
    await setImmediate()
  }
  parser.close()
}

/** Without a prototype, since elements may have any name. */
function keptOf(attributes: Readonly<Record<string, string>>): Record<string, Xml[] | string> {
  const kept = Object.create(null) as Record<string, Xml[] | string>
  for (const [name, value] of Object.entries(attributes)) kept[`@${name}`] = value
  return kept
}

function append(kept: Record<string, Xml[] | string>, name: string, xml: Xml): void {
  const same = kept[name]
  if (Array.isArray(same)) same.push(xml)
  else kept[name] = [xml]
}

function toXml(kept: Record<string, Xml[] | string>, text: string): Xml {
  if (Object.keys(kept).length === 0) return text
  kept['#'] = text
  return kept
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
