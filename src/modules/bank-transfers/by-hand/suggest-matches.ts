import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import { decideSuggestions, wordsOfName } from '../matching/decide-suggestions.ts'
import { possibleNames } from '../matching/named-invoices.ts'
import type { BankEntry } from '../model/bank-entry.ts'
import type { Suggestion } from '../model/suggestion.ts'
import { findPayers } from '../storage/match.repository.ts'

/** Suggestions by entry, for those that may still be matched. As many statements for a page of entries as for one. */
export async function suggestMatches(
  ctx: BankTransfersContext,
  tx: Tx,
  entries: readonly BankEntry[],
): Promise<ReadonlyMap<string, readonly Suggestion[]>> {
  const waiting = entries.filter(isWaiting)
  if (waiting.length === 0) return new Map()
  const lengths = await ctx.invoices.numberLengths(tx)
  const names = waiting.map(({ remittance }) => possibleNames(remittance, lengths))
  const payers = await findPayers(tx, [...new Set(waiting.flatMap(({ debtorIban }) => debtorIban ?? []))])
  const [byName, orderIds] = await Promise.all([
    ctx.customers.findCustomersByTexts(tx, [
      ...new Set(waiting.flatMap(({ debtorName }) => textsOf(debtorName ?? ''))),
    ]),
    ctx.payments.openOrdersOfTotals(
      tx,
      waiting.map(({ amount }) => amount),
    ),
  ])
  const invoices = await ctx.invoices.findSuggestableInvoices(tx, {
    numbers: [...new Set(names.flatMap(({ numbers }) => numbers))],
    references: [...new Set(names.flatMap(({ references }) => references))],
    orderIds,
    customerUuids: [...new Set([...byName, ...[...payers.values()].flatMap((uuids) => [...uuids])])],
  })
  return new Map(waiting.map((entry) => [entry.id, decideSuggestions(entry, { invoices, payers })]))
}

function isWaiting({ state, returnedOn }: Pick<BankEntry, 'state' | 'returnedOn'>): boolean {
  return (state === 'unmatched' || state === 'suggested') && returnedOn === null
}

/** The whole name, and its longest word for customers whose names have fewer words. */
function textsOf(name: string): string[] {
  const words = wordsOfName(name)
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length)
  return [...new Set([words.join(' '), longest])].filter((text) => text !== '')
}
