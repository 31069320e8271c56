import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { type Columns, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Fee, Valuation } from '../model/fee.ts'
import type { WalletTransactionState } from '../model/transaction.states.ts'
import type { Transfer, WalletTransaction } from '../model/transaction.ts'

export interface TransferRow {
  id: string
  wallet_id: string
  blockchain: string
  block_hash: string
  block_number: bigint
  block_time: Instant
  transaction_hash: string
  log_index: number
  contract_address: string
  source_address: string
  destination_address: string
  units: bigint
  currency: string
  decimals: number
  usd_price: string
}

interface TransactionRow extends TransferRow {
  amount_in_usd_minor: bigint
  calculated_fee_minor: bigint
  state: WalletTransactionState
}

const COLUMNS = sql`id, wallet_id, blockchain, block_hash, block_number, block_time, transaction_hash, log_index,
       contract_address, source_address, destination_address, units, currency, decimals,
       trim_scale(usd_price)::text as usd_price, amount_in_usd_minor, calculated_fee_minor, state`

export const TRANSFER_COLUMNS: Columns<Transfer> = {
  id: ['text', (transfer) => transfer.id],
  wallet_id: ['text', (transfer) => transfer.walletId],
  block_hash: ['text', (transfer) => transfer.blockHash],
  block_number: ['bigint', (transfer) => transfer.blockNumber],
  block_time: ['timestamptz', (transfer) => toRfc3339(transfer.blockTime)],
  transaction_hash: ['text', (transfer) => transfer.transactionHash],
  log_index: ['integer', (transfer) => transfer.logIndex],
  contract_address: ['text', (transfer) => transfer.contractAddress],
  source_address: ['text', (transfer) => transfer.sourceAddress],
  destination_address: ['text', (transfer) => transfer.destinationAddress],
  units: ['numeric', (transfer) => transfer.units.toString()],
  currency: ['text', (transfer) => transfer.currency],
  decimals: ['integer', (transfer) => transfer.decimals],
  usd_price: ['numeric', (transfer) => decimalToString(transfer.usdPrice)],
}

export type NewWalletTransaction = WalletTransaction & { readonly fee: Fee }

const newTransactions = rowsAs<NewWalletTransaction>('inserted', {
  ...TRANSFER_COLUMNS,
  blockchain: ['text', (transaction) => transaction.blockchain],
  amount_in_usd_minor: ['numeric', (transaction) => transaction.usdMinor.toString()],
  fixed_fee_minor: ['numeric', ({ fee }) => fee.fixedMinor.toString()],
  percentage_fee: ['numeric', ({ fee }) => decimalToString(fee.percentage)],
  calculated_fee_minor: ['numeric', (transaction) => transaction.feeMinor.toString()],
  state: ['text', (transaction) => transaction.state],
})

export async function insertTransactions(
  tx: Tx,
  transactions: readonly NewWalletTransaction[],
): Promise<void> {
  if (transactions.length === 0) return
  await tx.execute(sql`
    insert into wallet_transactions (business_id, id, wallet_id, block_hash, block_number, block_time,
           transaction_hash, log_index, contract_address, source_address, destination_address, units, currency,
           decimals, usd_price, blockchain, amount_in_usd_minor, fixed_fee_minor, percentage_fee,
           calculated_fee_minor, state)
    select ${tx.businessId}, inserted.* from ${newTransactions(transactions)}`)
}

export async function lockTransactions(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, WalletTransaction>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<TransactionRow>(sql`
    select ${COLUMNS} from wallet_transactions
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}
     order by id
       for no key update`)
  return new Map(rows.map((row) => [row.id, toTransaction(row)]))
}

const changedStates = rowsAs<WalletTransaction>('changed', {
  id: ['text', (transaction) => transaction.id],
  state: ['text', (transaction) => transaction.state],
})

export async function setTransactionStates(
  tx: Tx,
  transactions: readonly WalletTransaction[],
): Promise<void> {
  if (transactions.length === 0) return
  await tx.execute(sql`
    update wallet_transactions t set state = changed.state
      from ${changedStates(transactions)}
     where t.business_id = ${tx.businessId} and t.id = changed.id`)
}

export interface TransactionSelection {
  readonly walletId: string
  readonly state: WalletTransactionState
  readonly startAt: Instant | undefined
  readonly endAt: Instant | undefined
}

export async function listTransactions(
  db: Database,
  businessId: string,
  selection: TransactionSelection,
  page: PageRequest,
): Promise<WalletTransaction[]> {
  const { walletId, state, startAt, endAt } = selection
  const from = startAt === undefined ? empty : sql`and block_time >= ${toRfc3339(startAt)}`
  const to = endAt === undefined ? empty : sql`and block_time <= ${toRfc3339(endAt)}`
  const rows = await db.read<TransactionRow>(
    businessId,
    sql`select ${COLUMNS} from wallet_transactions
         where business_id = ${businessId} and wallet_id = ${walletId} and state = ${state} ${from} ${to}
         ${rowsOfPage(page, sql`block_time`, sql`id`)}`,
  )
  return rows.map(toTransaction)
}

export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    walletId: row.wallet_id,
    blockchain: row.blockchain,
    blockHash: row.block_hash,
    blockNumber: Number(row.block_number),
    blockTime: row.block_time,
    transactionHash: row.transaction_hash,
    logIndex: row.log_index,
    contractAddress: row.contract_address,
    sourceAddress: row.source_address,
    destinationAddress: row.destination_address,
    units: row.units,
    currency: row.currency,
    decimals: row.decimals,
    usdPrice: decimal(row.usd_price),
  }
}

function toTransaction(row: TransactionRow): WalletTransaction {
  const valuation: Valuation = { usdMinor: row.amount_in_usd_minor, feeMinor: row.calculated_fee_minor }
  return { ...toTransfer(row), ...valuation, state: row.state }
}
