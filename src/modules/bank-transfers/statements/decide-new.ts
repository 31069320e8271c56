import type { CompletedEntry, KnownEntry, StatementEntry } from '../model/statement-entry.ts'

interface New {
  readonly added: readonly StatementEntry[]
  readonly completed: readonly CompletedEntry[]
}

/**
 * Returns the entries that no earlier statement had. CSV names no account, so an entry of CSV equals one of camt.053
 * with the same reference, date and amount. It then belongs to that account, because another account may have the
 * same reference.
 */
export function decideNew(entries: readonly StatementEntry[], known: readonly KnownEntry[]): New {
  const identities = new Set(known.map(({ identity }) => identity))
  const withAccount = new Set(known.filter(({ account }) => account !== null).map(transferOf))
  const withoutAccount = Map.groupBy(
    known.filter(({ account }) => account === null),
    transferOf,
  )
  const added: StatementEntry[] = []
  const completed: CompletedEntry[] = []
  for (const entry of entries) {
    if (identities.has(entry.identity)) continue
    identities.add(entry.identity)
    const isNamed = entry.bankReference !== null
    const transfer = transferOf(entry)
    if (isNamed && entry.account === null && withAccount.has(transfer)) continue
    const same = isNamed && entry.account !== null ? withoutAccount.get(transfer)?.shift() : undefined
    if (same === undefined) added.push(entry)
    else completed.push({ id: same.id, by: entry })
  }
  return { added, completed }
}

function transferOf({
  kind,
  bankReference,
  bookingDate,
  amount,
}: Pick<StatementEntry, 'kind' | 'bankReference' | 'bookingDate' | 'amount'>): string {
  return JSON.stringify([kind, bankReference, bookingDate, amount.currency, amount.minor.toString()])
}
