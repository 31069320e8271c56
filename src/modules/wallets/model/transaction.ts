import type { Instant } from '#kernel/clock'
import type { Decimal } from '#kernel/decimal'
import type { Valuation } from './fee.ts'
import type { WalletTransactionState } from './transaction.states.ts'

export interface Transfer {
  readonly id: string
  readonly walletId: string
  readonly blockchain: string
  readonly blockHash: string
  readonly blockNumber: number
  readonly blockTime: Instant
  readonly transactionHash: string
  /** -1 for a transfer of the native coin. */
  readonly logIndex: number
  readonly contractAddress: string
  readonly sourceAddress: string
  readonly destinationAddress: string
  readonly units: bigint
  readonly currency: string
  readonly decimals: number
  readonly usdPrice: Decimal
}

export interface WalletTransaction extends Transfer, Valuation {
  readonly state: WalletTransactionState
}
