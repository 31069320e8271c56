import type { Static } from 'typebox'
import { renderSVG } from 'uqr'
import { toRfc3339 } from '#kernel/clock'
import { decimalToString, formatUnscaled } from '#kernel/decimal'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { SentDeposit } from '../addresses/send-deposit.ts'
import type { ChainAddress } from '../addresses/read-wallets.ts'
import type { WalletView } from '../model/wallet.ts'
import { assetsOf, type Chain } from '../model/chain.ts'
import { CENT_DIGITS, type Fee } from '../model/fee.ts'
import type { FeeRule } from '../fees/fee-rules.ts'
import { type Balance, ledgerAmount } from '../model/ledger.ts'
import type { WalletTransaction } from '../model/transaction.ts'
import type {
  AddressQrData,
  FeeRulesData,
  SentDepositData,
  WalletData,
  WalletsData,
  WalletTransactionData,
  WalletTransactionsData,
} from './schemas.ts'

type ShownWallet = Static<typeof WalletData>['digital_wallet']
type ShownTransaction = Static<typeof WalletTransactionData>['wallet_transaction']

export function renderWalletData(view: WalletView): Static<typeof WalletData> {
  return { digital_wallet: renderWallet(view) }
}

export function renderWalletsPage(
  request: PageRequest,
  found: readonly WalletView[],
): Static<typeof WalletsData> {
  const keyOf = ({ wallet }: WalletView) => ({ at: wallet.createdAt, id: wallet.id })
  const { rows, page } = renderPage(request, found, keyOf, renderWallet)
  return { digital_wallets: rows, page }
}

function renderWallet({ wallet, balances, chains }: WalletView): ShownWallet {
  const { address } = wallet
  return {
    id: wallet.id,
    p_user_id: wallet.userId,
    addresses: address === null ? [] : chains.map((chain) => ({ blockchain: chain.name, address })),
    balances: balances.map((balance) => renderBalance(balance, displayDigits(balance.currency, chains))),
    p_created_at: toRfc3339(wallet.createdAt),
  }
}

function renderBalance(balance: Balance, digits: number): ShownWallet['balances'][number] {
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

/** The code holds the plain address, which every wallet app reads; few read an EIP-681 URI that names the chain. */
export function renderAddressQr({
  blockchain,
  chainId,
  address,
}: ChainAddress): Static<typeof AddressQrData> {
  const svg = renderSVG(address, { ecc: 'M', border: 4 })
  return { address_qr: { blockchain, chain_id: chainId, address, svg } }
}

export function renderTransactionData(transaction: WalletTransaction): Static<typeof WalletTransactionData> {
  return { wallet_transaction: renderTransaction(transaction) }
}

export function renderTransactionsPage(
  request: PageRequest,
  found: readonly WalletTransaction[],
): Static<typeof WalletTransactionsData> {
  const keyOf = ({ blockTime, id }: WalletTransaction) => ({ at: blockTime, id })
  const { rows, page } = renderPage(request, found, keyOf, renderTransaction)
  return { transactions: rows, page }
}

function renderTransaction(transaction: WalletTransaction): ShownTransaction {
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

function formatTokenAmount(units: bigint, decimals: number): string {
  const missing = Math.max(0, 2 - decimals)
  return formatUnscaled(units * 10n ** BigInt(missing), decimals + missing)
}

export function renderFeeRules({ businessId, userId, fee }: FeeRule): Static<typeof FeeRulesData> {
  return {
    fee_rules: [{ ...renderFee(fee), ...(userId !== null && { user_id: userId }), business_id: businessId }],
  }
}

export function renderFee(fee: Fee): { fixed_fee: string; percentage_fee: string } {
  return {
    fixed_fee: formatUnscaled(fee.fixedMinor, CENT_DIGITS),
    percentage_fee: decimalToString(fee.percentage, 2),
  }
}

export function renderSentDeposit({
  transactionHash,
  ...deposit
}: SentDeposit): Static<typeof SentDepositData> {
  const { wallet_id, blockchain, currency, amount } = deposit
  return { deposit: { wallet_id, blockchain, transaction_hash: transactionHash, currency, amount } }
}
