import type { CountedEntry } from '../model/entry.ts'
import type { TotalChange } from '../model/totals.ts'

export function changesOfTotals(
  added: readonly CountedEntry[],
  removed: readonly CountedEntry[],
): TotalChange[] {
  const changes = new Map<string, TotalChange>()
  const count = (entry: CountedEntry, sign: 1 | -1) => {
    const { reconciliationId, type, result, currency } = entry
    const key = [reconciliationId, type, result, currency].join(' ')
    const before = changes.get(key)
    const factor = BigInt(sign)
    changes.set(key, {
      reconciliationId,
      type,
      result,
      currency,
      entries: (before?.entries ?? 0) + sign,
      grossMinor: (before?.grossMinor ?? 0n) + factor * entry.grossMinor,
      feeMinor: (before?.feeMinor ?? 0n) + factor * entry.feeMinor,
      netMinor: (before?.netMinor ?? 0n) + factor * entry.netMinor,
    })
  }
  for (const entry of added) count(entry, 1)
  for (const entry of removed) count(entry, -1)
  return [...changes.values()]
    .filter(
      ({ entries, grossMinor, feeMinor, netMinor }) =>
        entries !== 0 || grossMinor !== 0n || feeMinor !== 0n || netMinor !== 0n,
    )
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function keyOf({ reconciliationId, type, result, currency }: TotalChange): string {
  return [reconciliationId, type, result, currency].join(' ')
}
