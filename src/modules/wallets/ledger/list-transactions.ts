import { type Instant, isAfter } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { WalletsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { listTransactions } from '../storage/transaction.repository.ts'
import { findWallet } from '../storage/wallet.repository.ts'
import type { WalletTransactionState } from '../model/transaction.states.ts'
import type { WalletTransaction } from '../model/transaction.ts'

export interface TransactionCriteria {
  readonly userId: string
  readonly walletId: string
  readonly startAt: Instant | undefined
  readonly endAt: Instant | undefined
  readonly state: WalletTransactionState | undefined
}

export async function transactionsOfPage(
  { db }: WalletsContext,
  { businessId }: Caller,
  criteria: TransactionCriteria,
  request: PageRequest,
): Promise<WalletTransaction[]> {
  const { walletId, userId, startAt, endAt, state = 'confirmed' } = criteria
  if (startAt !== undefined && endAt !== undefined && isAfter(startAt, endAt)) {
    throw errors.time_range_reversed({ param: 'start_at' })
  }
  const wallet = await findWallet(db, businessId, walletId)
  if (wallet === null || wallet.userId !== userId) throw errors.wallet_not_found()
  return listTransactions(db, businessId, { walletId, state, startAt, endAt }, request)
}
