import { type Instant, toRfc3339 } from '#kernel/clock'
import { type Decimal, formatUnscaled } from '#kernel/decimal'
import { CENT_DIGITS, type Valuation } from '../fees/fee.ts'
import type { WalletTransactionState } from './transaction.states.ts'

/** A transfer to one of our addresses as a chain shows it. */
export interface Transfer {
  readonly id: string
  readonly walletId: string
  readonly blockchain: string
  readonly blockHash: string
  readonly blockNumber: number
  readonly blockTime: Instant
  readonly transactionHash: string
  /** -1 for the transaction's own transfer of the native coin. */
  readonly logIndex: number
  /** EIP-55 form; '' for the native coin. */
  readonly contractAddress: string
  readonly sourceAddress: string
  readonly destinationAddress: string
  readonly units: bigint
  readonly currency: string
  readonly decimals: number
  readonly usdPrice: Decimal
}

/** A deposit: a transfer with its value, its fee and its state. */
export interface WalletTransaction extends Transfer, Valuation {
  readonly state: WalletTransactionState
}

/** The resource of the interface, with its block number, transaction hash and state added. */
export function renderWalletTransaction(transaction: WalletTransaction): object {
  return {
    id: transaction.id,
    wallet_id: transaction.walletId,
    blockchain: transaction.blockchain,
    block_hash: transaction.blockHash,
    block_number: transaction.blockNumber,
    transaction_hash: transaction.transactionHash,
    contract_address: transaction.contractAddress,
    source_address: transaction.sourceAddress,
    destination_address: transaction.destinationAddress,
    currency: transaction.currency,
    amount: formatTokenAmount(transaction.units, transaction.decimals),
    amount_in_usd: formatUnscaled(transaction.usdMinor, CENT_DIGITS),
    calculated_fee: formatUnscaled(transaction.feeMinor, CENT_DIGITS),
    state: transaction.state,
    p_created_at: toRfc3339(transaction.blockTime),
  }
}

/** All the token's digits, at least two: 1 unit of 6 digits is "0.000001", of none "1.00". */
function formatTokenAmount(units: bigint, decimals: number): string {
  const missing = Math.max(0, 2 - decimals)
  return formatUnscaled(units * 10n ** BigInt(missing), decimals + missing)
}
