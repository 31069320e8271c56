import type { Tx } from '#platform/postgres/database'
import type { CustomersContext } from '../context.ts'
import type { Customer } from '../model/customer.ts'

export async function handleDefaultToken(
  { defaultTokenHandlers }: CustomersContext,
  tx: Tx,
  before: Customer | null,
  token: string | null,
): Promise<void> {
  if (before === null || token === null || token === before.defaultToken) return
  for (const handle of defaultTokenHandlers) await handle(tx, before.uuid)
}
