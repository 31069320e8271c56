import type { Static } from 'typebox'
import type { Instant } from '#kernel/clock'
import { platformErrors } from '#platform/errors'
import type { TransactionCriteria } from '../ledger/list-transactions.ts'
import { parseHongKongTime } from './hong-kong-time.ts'
import type { TransactionsQuery } from './schemas.ts'

export function readTransactionsQuery(query: Static<typeof TransactionsQuery>): TransactionCriteria {
  return {
    userId: query.p_user_id,
    walletId: query.wallet_id,
    startAt: readTime('start_at', query.start_at),
    endAt: readTime('end_at', query.end_at),
    state: query.state,
  }
}

function readTime(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const time = parseHongKongTime(text)
  if (time !== undefined) return time
  throw platformErrors.invalid_query_value({
    param: name,
    message: `${name} must be an existing time in Hong Kong, written YYYY-MM-DD hh:mm:ss.`,
  })
}
