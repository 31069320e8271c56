/** What a payer may write to name an invoice. */
export interface Nameable {
  readonly number: string
  readonly paymentReference: string
}

/** Shorter names appear in too many texts by chance. */
const MIN_NAME_LENGTH = 5

/** Finds invoices by their numbers and payment references in texts, without case, blanks and hyphens. */
export class NamedInvoices<T extends Nameable> {
  readonly #invoices = new Map<string, T[]>()
  readonly #lengths: readonly number[]

  constructor(invoices: Iterable<T>) {
    for (const invoice of invoices) {
      const names = [invoice.number, invoice.paymentReference].filter(
        ({ length }) => length >= MIN_NAME_LENGTH,
      )
      for (const name of new Set(names.map((one) => fold(one).text))) this.#add(name, invoice)
    }
    this.#lengths = [...new Set([...this.#invoices.keys()].map(({ length }) => length))].toSorted(
      (a, b) => b - a,
    )
  }

  #add(name: string, invoice: T): void {
    const same = this.#invoices.get(name)
    if (same === undefined) this.#invoices.set(name, [invoice])
    else same.push(invoice)
  }

  /** Returns the invoices of each name in the text. Several legal entities may use the same number. */
  in(remittance: string): readonly (readonly T[])[] {
    const folded = fold(remittance)
    const found = new Map<string, readonly T[]>()
    for (let start = 0; start < folded.text.length;) {
      const name = this.#nameAt(folded, start)
      if (name !== undefined) found.set(name, this.#invoices.get(name) ?? [])
      start += name?.length ?? 1
    }
    return [...found.values()]
  }

  /** The longest name at a place: `AB-12` rather than `AB-1`. */
  #nameAt(folded: Folded, start: number): string | undefined {
    for (const length of this.#lengths) {
      if (!isWhole(folded, start, start + length)) continue
      const name = folded.text.slice(start, start + length)
      if (this.#invoices.has(name)) return name
    }
    return undefined
  }
}

/** Says whether a text names a reference, by the rules for numbers of invoices. */
export function isNamed(reference: string, text: string): boolean {
  if (reference.length < MIN_NAME_LENGTH) return false
  const folded = fold(text)
  const name = fold(reference).text
  for (let start = folded.text.indexOf(name); start >= 0; start = folded.text.indexOf(name, start + 1)) {
    if (isWhole(folded, start, start + name.length)) return true
  }
  return false
}

/** Bounds one look-up, because each place of a text may begin the number of an invoice. */
const MAX_PART_LENGTH = 40_000

/** Yields parts of the entries that are small enough for other requests to wait only a few milliseconds for each. */
export function* partsOfRemittances<T extends { readonly remittance: string }>(
  entries: Iterable<T>,
  maxEntries = Infinity,
): Generator<readonly T[]> {
  let part: T[] = []
  let length = 0
  for (const entry of entries) {
    if (
      part.length === maxEntries ||
      (part.length > 0 && length + entry.remittance.length > MAX_PART_LENGTH)
    ) {
      yield part
      part = []
      length = 0
    }
    part.push(entry)
    length += entry.remittance.length
  }
  if (part.length > 0) yield part
}

const REFERENCE = /(?=(rf[0-9]{2}[0-9a-z]{12}))/g

/**
 * Returns what may be the number or the payment reference of an invoice in texts, without case, blanks and hyphens.
 * Every number has a digit.
 * @param lengths of the numbers that invoices have
 */
export function possibleNames(
  remittances: readonly string[],
  lengths: readonly number[],
): { readonly numbers: readonly string[]; readonly references: readonly string[] } {
  const numbers = new Set<string>()
  const references = new Set<string>()
  for (const folded of remittances.map(fold)) {
    for (const [, reference = ''] of folded.text.matchAll(REFERENCE)) references.add(reference)
    for (const length of lengths) addNumbers(folded, length, numbers)
  }
  return { numbers: [...numbers], references: [...references] }
}

function addNumbers(folded: Folded, length: number, numbers: Set<string>): void {
  const { text } = folded
  let lastDigit = -1
  for (let end = 1; end <= text.length; end++) {
    if (isDigit(text[end - 1])) lastDigit = end - 1
    const start = end - length
    if (start >= 0 && lastDigit >= start && isWhole(folded, start, end)) numbers.add(text.slice(start, end))
  }
}

/** - `followsDigit`, `precedesDigit`: 1 for a character with nothing or only hyphens between it and a digit. */
interface Folded {
  readonly text: string
  readonly followsDigit: Uint8Array
  readonly precedesDigit: Uint8Array
}

function fold(text: string): Folded {
  // The one letter whose small form is longer than it.
  const source = text.replaceAll('\u0130', 'i').toLowerCase()
  const followsDigit = new Uint8Array(source.length)
  const precedesDigit = new Uint8Array(source.length)
  let folded = ''
  let previous = ''
  for (let place = 0; place < source.length; place++) {
    const character = source[place] ?? ''
    if (HYPHENS.has(character)) continue
    const isKept = !BLANKS.has(character)
    if (isDigit(character) && previous !== '' && !BLANKS.has(previous)) precedesDigit[folded.length - 1] = 1
    if (isKept) {
      if (isDigit(previous)) followsDigit[folded.length] = 1
      folded += character
    }
    previous = character
  }
  return { text: folded, followsDigit, precedesDigit }
}

const HYPHENS: ReadonlySet<string> = new Set('-\u2010\u2011\u2012\u2013\u2014\u2212')
const BLANKS: ReadonlySet<string> = new Set(' \t\r\n\u00a0\u202f')

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/**
 * True if no digit follows the name, and none precedes a name that begins with a digit. A blank ends a number, a
 * hyphen does not.
 */
function isWhole({ text, followsDigit, precedesDigit }: Folded, start: number, end: number): boolean {
  if (end > text.length || precedesDigit[end - 1] === 1) return false
  return !(isDigit(text[start]) && followsDigit[start] === 1)
}
