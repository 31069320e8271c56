import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { PaymentsContext } from '../context.ts'
import {
  listTransactions,
  type ListedTransaction,
  TRANSACTION_FIELDS,
} from '../storage/transaction-list.repository.ts'

export async function transactionsOfPage(
  ctx: PaymentsContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<ListedTransaction[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, TRANSACTION_FIELDS, timeZone)
  return ctx.db.transact(businessId, (tx) => listTransactions(tx, condition, request), {
    isSnapshot: true,
    isSearch: filter !== undefined,
  })
}
