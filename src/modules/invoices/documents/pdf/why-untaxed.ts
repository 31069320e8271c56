import { say } from '#kernel/say'
import type { Invoice } from '../../model/invoice.ts'
import { type InvoiceWords, type Untaxed } from '../invoice-words.ts'
import { REVERSE_CHARGE } from '../xml/e-invoice.ts'

/** Says for each treatment of the lines why it adds no tax, and then what else the document notes. */
export function untaxedNotes(
  { lines, notes }: Pick<Invoice, 'lines' | 'notes'>,
  words: InvoiceWords,
): string[] {
  const treatments = [...new Set(lines.map(({ treatment }) => treatment))].filter(
    (treatment): treatment is Untaxed => treatment !== 'taxed',
  )
  const written = notes.filter((note) => note !== REVERSE_CHARGE)
  // An issued document notes the reason of an exemption and nothing else.
  const [reason, ...others] = treatments.includes('exempt') ? written : [undefined, ...written]
  return [
    ...treatments.map((treatment) =>
      treatment === 'exempt' && reason !== undefined
        ? say(words.whyUntaxed.exemptBecause, { reason })
        : words.whyUntaxed[treatment],
    ),
    ...others.filter((note) => note !== undefined),
  ]
}
