import { setImmediate } from 'node:timers/promises'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import { suggestionsAmong, wordsOfName } from '../matching/decide-suggestions.ts'
import { partsOfRemittances, possibleNames } from '../matching/named-invoices.ts'
import type { BankEntry } from '../model/bank-entry.ts'
import type { SuggestableInvoice, Suggestion } from '../model/suggestion.ts'
import { findCountedTransfers, findPayers } from '../storage/match.repository.ts'

/**
 * Returns suggestions by entry, for entries that can still be matched. A page of entries takes as many statements as
 * one entry, unless their texts are long.
 */
export async function suggestMatches(
  ctx: BankTransfersContext,
  tx: Tx,
  entries: readonly BankEntry[],
): Promise<ReadonlyMap<string, readonly Suggestion[]>> {
  const waiting = entries.filter(isWaiting)
  if (waiting.length === 0) return new Map()
  const lengths = await ctx.invoices.numberLengths(tx)
  const ibans = [...new Set(waiting.flatMap(({ debtorIban }) => debtorIban ?? []))]
  const payers = await findPayers(tx, ibans)
  const [byName, orderIds] = await Promise.all([
    ctx.customers.findCustomersByTexts(tx, [
      ...new Set(waiting.flatMap(({ debtorName }) => textsOf(debtorName ?? ''))),
    ]),
    ctx.payments.openOrdersOfTotals(
      tx,
      waiting.map(({ amount }) => amount),
    ),
  ])
  const customerUuids = [...new Set([...byName, ...[...payers.values()].flatMap((uuids) => [...uuids])])]
  const invoices = new Map<string, SuggestableInvoice>()
  for (const [index, part] of [...partsOfRemittances(waiting)].entries()) {
    const found = await ctx.invoices.findSuggestableInvoices(tx, {
      ...possibleNames(
        part.map(({ remittance }) => remittance),
        lengths,
      ),
      orderIds: index === 0 ? orderIds : [],
      customerUuids: index === 0 ? customerUuids : [],
    })
    for (const invoice of found) invoices.set(invoice.id, invoice)
  }
  const closed = [...invoices.values()].filter(({ amountDue }) => !amountDue.isPositive())
  const counted = await findCountedTransfers(
    tx,
    closed.map(({ id }) => id),
    ibans,
  )
  const suggest = suggestionsAmong({ invoices: [...invoices.values()], payers, counted })
  const suggestions = new Map<string, readonly Suggestion[]>()
  for (const entry of waiting) {
    suggestions.set(entry.id, suggest(entry))
    await setImmediate()
  }
  return suggestions
}

function isWaiting({ state, returnedOn }: Pick<BankEntry, 'state' | 'returnedOn'>): boolean {
  return (state === 'unmatched' || state === 'suggested') && returnedOn === null
}

/** No customer has a longer name (reference/customers#lengths). */
const MAX_NAME_LENGTH = 255

/** The whole name, and its longest word for customers whose names have fewer words. No customer has a longer name. */
function textsOf(name: string): string[] {
  const words = wordsOfName(name)
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length)
  return [...new Set([words.join(' '), longest])].filter(
    (text) => text !== '' && text.length <= MAX_NAME_LENGTH,
  )
}
