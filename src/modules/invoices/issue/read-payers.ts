import type { Transaction } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'

/** Finds out by transaction who sent the transfers among them. */
export async function readPayers(
  { payerReaders }: InvoicesContext,
  tx: Tx,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<string, string>> {
  const ids = transactions
    .filter(({ instrument, state }) => instrument.acquirerType === 'bank' && state === 'succeeded')
    .map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const found = await Promise.all(payerReaders.map((read) => read(tx, ids)))
  return new Map(found.flatMap((payers) => [...payers]))
}
