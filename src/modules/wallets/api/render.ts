import { toRfc3339 } from '#kernel/clock'
import { decimalToString, formatUnscaled } from '#kernel/decimal'
import type { Wallet } from '../addresses/wallet.ts'
import { assetsOf, type Chain } from '../configuration/configuration.ts'
import { CENT_DIGITS } from '../fees/fee.ts'
import { type Balance, ledgerAmount } from '../ledger/ledger.ts'
import type { WalletTransaction } from '../ledger/transaction.ts'

export function renderWallet(
  wallet: Wallet,
  balances: readonly Balance[],
  chains: readonly Chain[],
): { readonly id: string; readonly [member: string]: unknown } {
  const { address } = wallet
  return {
    id: wallet.id,
    p_user_id: wallet.userId,
    addresses: address === null ? [] : chains.map((chain) => ({ blockchain: chain.name, address })),
    balances: balances.map((balance) => renderBalance(balance, displayDigits(balance.currency, chains))),
    p_created_at: toRfc3339(wallet.createdAt),
  }
}

function renderBalance(balance: Balance, digits: number): object {
  const format = (amount: string): string => decimalToString(ledgerAmount(amount), digits)
  return {
    currency: balance.currency,
    amount: format(balance.total),
    available_amount: format(balance.available),
    held_amount: format(balance.held),
  }
}

function displayDigits(currency: string, chains: readonly Chain[]): number {
  let digits = 2
  for (const chain of chains) {
    for (const asset of assetsOf(chain)) {
      if (asset.symbol === currency && asset.decimals > digits) digits = asset.decimals
    }
  }
  return digits
}

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

/** Shows all decimals of the token, at least 2: "0.000001" for 1 unit with 6 decimals, "1.00" for 1 unit with none. */
function formatTokenAmount(units: bigint, decimals: number): string {
  const missing = Math.max(0, 2 - decimals)
  return formatUnscaled(units * 10n ** BigInt(missing), decimals + missing)
}
