import { SaxesParser } from 'saxes'
import { invalidLine } from '../errors.ts'

/** camt.053 needs 12. */
const MAX_DEPTH = 40
const MAX_ATTRIBUTES = 64
/**
 * Bounds a written text, name, comment or attribute, which the parser keeps until its end. 10,000 characters that
 * are each written as `&#x1F600;` have 90,000.
 */
const MAX_PART = 100_000
/** Bounds the texts of one element. Texts of 10,000 characters in all cannot be more. */
const MAX_TEXTS = 10_000

/** The elements that are read, with the paths of the texts and attributes that are kept of them: `Document/Stmt/Acct` with `Id/IBAN`. */
type Shape = Readonly<Record<string, readonly string[]>>

type OnElement = (path: string, texts: XmlTexts, line: number) => void

/** An element or attribute of the shape. */
interface Place {
  readonly path: string
  readonly children: Map<string, Place>
  isRead: boolean
  /** The path below the element that is read. */
  text: string | undefined
}

/** The texts of an element by their paths, each path in the order of the document. */
export class XmlTexts {
  #texts: Map<string, string[]> | undefined
  #count = 0

  /** Returns false if there are too many. */
  add(path: string, text: string): boolean {
    this.#texts ??= new Map()
    const same = this.#texts.get(path)
    if (same === undefined) this.#texts.set(path, [text])
    else same.push(text)
    return ++this.#count <= MAX_TEXTS
  }

  has(path: string): boolean {
    return this.#texts?.has(path) === true
  }

  all(path: string): readonly string[] {
    return (this.#texts?.get(path) ?? []).filter((text) => text !== '')
  }

  isRepeated(path: string): boolean {
    return (this.#texts?.get(path)?.length ?? 0) > 1
  }

  /** Null if the first is empty. */
  first(path: string): string | null {
    return this.#texts?.get(path)?.[0] || null
  }
}

interface OpenElement {
  readonly place: Place
  readonly line: number
  readonly texts: XmlTexts
  text: string
}

/**
 * Reads a document in pieces, and keeps only the texts of open elements. Drops the prefixes of names. Refuses
 * document types, so that only XML's own entities exist.
 */
export class XmlReader {
  readonly #parser = new SaxesParser<{ readonly xmlns: false }>({ xmlns: false })
  readonly #root: Place
  readonly #onElement: OnElement
  /** Undefined for an element outside the shape. */
  readonly #open: (OpenElement | undefined)[] = []
  #attributes = 0
  #written = 0
  #endOfPart = 0

  constructor(shape: Shape, onElement: OnElement) {
    this.#root = placesOf(shape)
    this.#onElement = onElement
    const parser = this.#parser
    parser.on('error', (error) => {
      throw this.#fail(`is not XML: ${error.message.replace(/^\d+:\d+: |\.$/g, '')}`)
    })
    parser.on('doctype', () => {
      throw this.#fail('must not declare a document type')
    })
    parser.on('opentagstart', () => {
      this.#endPart()
      this.#attributes = 0
    })
    parser.on('attribute', () => {
      this.#endPart()
      if (++this.#attributes > MAX_ATTRIBUTES)
        throw this.#fail(`has an element of more than ${MAX_ATTRIBUTES} attributes`)
    })
    parser.on('opentag', ({ name, attributes }) => this.#openElement(name, attributes))
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
    parser.on('closetag', () => this.#closeElement())
    for (const part of ['comment', 'processinginstruction', 'xmldecl'] as const)
      parser.on(part, () => this.#endPart())
  }

  write(piece: string): void {
    this.#parser.write(piece)
    this.#written += piece.length
    this.#checkLength(this.#written - this.#endOfPart)
  }

  close(): void {
    this.#parser.close()
  }

  #openElement(fullName: string, attributes: Readonly<Record<string, string>>): void {
    this.#endPart()
    if (this.#open.length === MAX_DEPTH) throw this.#fail(`has XML of more than ${MAX_DEPTH} levels`)
    const parent = this.#open.at(-1)
    const above = this.#open.length === 0 ? this.#root : parent?.place
    const place = above?.children.get(fullName.slice(fullName.indexOf(':') + 1))
    if (place === undefined) {
      this.#open.push(undefined)
      return
    }
    const texts = place.isRead || parent === undefined ? new XmlTexts() : parent.texts
    for (const [name, { text }] of place.children) {
      if (name.startsWith('@') && text !== undefined) this.#keep(texts, text, attributes[name.slice(1)] ?? '')
    }
    this.#open.push({ place, line: this.#parser.line, texts, text: '' })
  }

  #addText(text: string): void {
    this.#endPart()
    const element = this.#open.at(-1)
    if (element?.place.text === undefined) return
    element.text += text
    this.#checkLength(element.text.length)
  }

  #closeElement(): void {
    this.#endPart()
    const element = this.#open.pop()
    if (element === undefined) return
    const { place, texts, text, line } = element
    if (place.text !== undefined) this.#keep(texts, place.text, text.trim())
    if (place.isRead) this.#onElement(place.path, texts, line)
  }

  #keep(texts: XmlTexts, path: string, text: string): void {
    if (!texts.add(path, text)) throw this.#fail(`has an element of more than ${MAX_TEXTS} texts`)
  }

  #endPart(): void {
    const { position } = this.#parser
    this.#checkLength(position - this.#endOfPart)
    this.#endOfPart = position
  }

  #checkLength(length: number): void {
    if (length > MAX_PART) throw this.#fail(`has a part of more than ${MAX_PART} characters`)
  }

  #fail(message: string): Error {
    return invalidLine(this.#parser.line, message)
  }
}

function placesOf(shape: Shape): Place {
  const root = placeOf('')
  for (const [path, texts] of Object.entries(shape)) {
    const element = placeAt(root, path)
    element.isRead = true
    for (const text of texts) placeAt(element, text).text = text
  }
  return root
}

function placeOf(path: string): Place {
  return { path, children: new Map(), isRead: false, text: undefined }
}

function placeAt(from: Place, path: string): Place {
  return path.split('/').reduce((above, name) => {
    const place = above.children.get(name) ?? placeOf(above.path === '' ? name : `${above.path}/${name}`)
    above.children.set(name, place)
    return place
  }, from)
}
