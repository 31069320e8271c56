import { createHash } from 'node:crypto'
import type { StatementEntry } from '../model/statement-entry.ts'

/** - `isReferenceShared`: True if other details of a batch that was booked as one have the same reference. */
export interface ReadEntry extends Omit<StatementEntry, 'identity'> {
  readonly isReferenceShared: boolean
}

/**
 * Identifies an entry by account and reference, or else by its content and the number of equal entries before it in
 * the statement.
 */
export function entryIdentifier(): (entry: ReadEntry) => StatementEntry {
  const preceding = new Map<string, number>()
  return ({ isReferenceShared, ...entry }) => {
    const { kind, account, bankReference } = entry
    if (bankReference !== null && !isReferenceShared) {
      return { ...entry, identity: hashOf(['reference', kind, account, bankReference]) }
    }
    const content = contentOf(entry)
    const key = hashOf([content])
    const count = preceding.get(key) ?? 0
    preceding.set(key, count + 1)
    return { ...entry, identity: hashOf(['content', content, count]) }
  }
}

function contentOf({ amount, ...entry }: Omit<StatementEntry, 'identity' | 'returnedTo'>): string {
  const { kind, account, bookingDate, debtorName, debtorIban, bankReference, endToEndId, remittance } = entry
  return JSON.stringify([
    kind,
    account,
    bookingDate,
    amount.currency,
    amount.minor.toString(),
    debtorName,
    debtorIban,
    bankReference,
    endToEndId,
    remittance,
  ])
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
