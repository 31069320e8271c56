import { amountKey } from '#platform/filter/minor-units'
import type { Search } from '#platform/search/search'

const AMOUNT =
  /^(?:[A-Z]{3}|[^\s\w.,+-]{1,3}|[A-Z]{1,3}[$])?\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?:\s?[A-Z]{3})?$/i

export function readQuery(query: string, limit: number): Search {
  const text = query.trim()
  const [, digits] = AMOUNT.exec(text) ?? []
  const lastFour = /^(?:[*•.\s]*)(\d{4})$/.exec(text)?.[1]
  return {
    text,
    amountKey: digits === undefined ? undefined : amountKey(digits.replaceAll(',', '')),
    lastFour,
    limit,
  }
}
