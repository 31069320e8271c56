import { type Instant, isAfter } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { errors } from './errors.ts'
import { parseHongKongTime } from './hong-kong-time.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { listTransactions } from '../storage/transaction.repository.ts'
import type { WalletTransactionState } from '../ledger/transaction.states.ts'
import { renderWalletTransaction } from './render.ts'
import { findWallet } from '../storage/wallet.repository.ts'

export interface TransactionsQuery {
  readonly p_user_id: string
  readonly wallet_id: string
  readonly start_at?: string
  readonly end_at?: string
  readonly state?: WalletTransactionState
}

export async function listWalletTransactions(
  deps: WalletsDependencies,
  caller: Caller,
  query: TransactionsQuery,
  request: PageRequest,
): Promise<{ transactions: object[]; page: Page }> {
  const startAt = readTime('start_at', query.start_at)
  const endAt = readTime('end_at', query.end_at)
  if (startAt !== undefined && endAt !== undefined && isAfter(startAt, endAt)) {
    throw errors.time_range_reversed({ param: 'start_at' })
  }
  const wallet = await findWallet(deps.db, caller.businessId, query.wallet_id)
  if (wallet === null || wallet.userId !== query.p_user_id) throw errors.wallet_not_found()
  const selection = { walletId: wallet.id, state: query.state ?? 'confirmed', startAt, endAt }
  const transactions = await listTransactions(deps.db, caller.businessId, selection, request)
  const { rows, page } = renderPage(
    request,
    transactions,
    ({ blockTime, id }) => ({ at: blockTime, id }),
    renderWalletTransaction,
  )
  return { transactions: rows, page }
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
