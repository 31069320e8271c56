/** What a payer may write to name an invoice. */
export interface Nameable {
  readonly number: string
  readonly paymentReference: string
}

/** Finds invoices by their numbers and payment references in texts, without case, blanks and hyphens. */
export class NamedInvoices<T extends Nameable> {
  readonly #invoices = new Map<string, T[]>()
  readonly #lengths: readonly number[]

  constructor(invoices: Iterable<T>) {
    for (const invoice of invoices) {
      const names = new Set([invoice.number, invoice.paymentReference].map((name) => fold(name).text))
      for (const name of names) this.#add(name, invoice)
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

  /** The invoices of each name in the text. Numbers of several legal entities may be the same. */
  in(remittance: string): readonly (readonly T[])[] {
    const folded = fold(remittance)
    const found = new Map<string, readonly T[]>()
    for (let start = 0; start < folded.text.length;) {
      const name = this.#nameAt(folded, start, remittance)
      if (name !== undefined) found.set(name, this.#invoices.get(name) ?? [])
      start += name?.length ?? 1
    }
    return [...found.values()]
  }

  /** The longest name at a place: `A-12` rather than `A-1`. */
  #nameAt(folded: Folded, start: number, original: string): string | undefined {
    for (const length of this.#lengths) {
      const name = folded.text.slice(start, start + length)
      if (name.length < length || !this.#invoices.has(name)) continue
      if (isWhole(name, folded.places[start] ?? 0, folded.places[start + length - 1] ?? 0, original))
        return name
    }
    return undefined
  }
}

const REFERENCE = /(?=(rf[0-9]{2}[0-9a-z]{12}))/g

/**
 * All that may be the number or the payment reference of an invoice in a text, without case, blanks and hyphens. Every
 * number has a digit.
 * @param lengths of the numbers that invoices have
 */
export function possibleNames(
  remittance: string,
  lengths: readonly number[],
): { readonly numbers: readonly string[]; readonly references: readonly string[] } {
  const { text, places } = fold(remittance)
  const numbers = lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) => start)
      .filter((start) => {
        const name = text.slice(start, start + length)
        return (
          /\d/.test(name) && isWhole(name, places[start] ?? 0, places[start + length - 1] ?? 0, remittance)
        )
      })
      .map((start) => text.slice(start, start + length)),
  )
  return { numbers, references: [...text.matchAll(REFERENCE)].map(([, reference = '']) => reference) }
}

interface Folded {
  readonly text: string
  readonly places: readonly number[]
}

function fold(text: string): Folded {
  // The one letter whose small form is longer, so that places stay those of the text.
  const source = text.replaceAll('\u0130', 'i').toLowerCase()
  const places: number[] = []
  let folded = ''
  for (let place = 0; place < source.length; place++) {
    const character = source[place] ?? ''
    if (IGNORED.has(character)) continue
    folded += character
    places.push(place)
  }
  return { text: folded, places }
}

const HYPHENS = '-\u2010\u2011\u2012\u2013\u2014\u2212'
const IGNORED = new Set(` \t\r\n\u00a0\u202f${HYPHENS}`)

/** No digit follows, and none precedes a name that begins with one. A blank ends a number, a hyphen does not. */
function isWhole(name: string, first: number, last: number, text: string): boolean {
  const after = text.slice(last + 1, last + 1 + MAX_HYPHENS)
  const before = text.slice(Math.max(0, first - MAX_HYPHENS), first)
  return !DIGIT_AFTER.test(after) && !(/^\d/.test(name) && DIGIT_BEFORE.test(before))
}

const MAX_HYPHENS = 4
const DIGIT_AFTER = new RegExp(`^[${HYPHENS}]*\\d`)
const DIGIT_BEFORE = new RegExp(`\\d[${HYPHENS}]*$`)
