import sql, { empty } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Instant } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { Database, Tx } from '#platform/database'
import type { PageRequest } from '#platform/http/list'
import { isOneOf } from '#platform/rows'
import type { Fee, Valuation } from './fee.ts'
import type { WalletTransactionState } from './transaction.states.ts'
import type { Transfer, WalletTransaction } from './transaction.ts'

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

/** A new deposit, with the fee it was valued by. */
export type NewWalletTransaction = WalletTransaction & { readonly fee: Fee }

export async function insertTransactions(tx: Tx, given: readonly NewWalletTransaction[]): Promise<void> {
  if (given.length === 0) return
  const texts = (of: (transaction: NewWalletTransaction) => { toString(): string }) =>
    given.map((transaction) => of(transaction).toString())
  await tx.execute(sql`
    insert into wallet_transactions (business_id, id, wallet_id, blockchain, block_hash, block_number, block_time,
           transaction_hash, log_index, contract_address, source_address, destination_address, units, currency,
           decimals, usd_price, amount_in_usd_minor, fixed_fee_minor, percentage_fee, calculated_fee_minor, state)
    select ${tx.businessId}::text, given.*
      from unnest(
        ${texts((t) => t.id)}::text[], ${texts((t) => t.walletId)}::text[], ${texts((t) => t.blockchain)}::text[],
        ${texts((t) => t.blockHash)}::text[], ${texts((t) => t.blockNumber)}::bigint[],
        ${texts((t) => toRfc3339(t.blockTime))}::timestamptz[], ${texts((t) => t.transactionHash)}::text[],
        ${texts((t) => t.logIndex)}::int[], ${texts((t) => t.contractAddress)}::text[],
        ${texts((t) => t.sourceAddress)}::text[], ${texts((t) => t.destinationAddress)}::text[],
        ${texts((t) => t.units)}::numeric[], ${texts((t) => t.currency)}::text[],
        ${texts((t) => t.decimals)}::smallint[], ${texts((t) => decimalToString(t.usdPrice))}::numeric[],
        ${texts((t) => t.usdMinor)}::numeric[], ${texts((t) => t.fee.fixedMinor)}::numeric[],
        ${texts((t) => decimalToString(t.fee.percentage))}::numeric[], ${texts((t) => t.feeMinor)}::numeric[],
        ${texts((t) => t.state)}::text[]) as given`)
}

/** Locks these transactions and answers their values; the rest of them the caller knows. */
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

export async function setTransactionStates(tx: Tx, given: readonly WalletTransaction[]): Promise<void> {
  if (given.length === 0) return
  await tx.execute(sql`
    update wallet_transactions t set state = given.state
      from unnest(${given.map((t) => t.id)}::text[], ${given.map((t) => t.state)}::text[]) as given (id, state)
     where t.business_id = ${tx.businessId} and t.id = given.id`)
}

export interface TransactionSelection {
  readonly walletId: string
  readonly state: WalletTransactionState
  /** Both ends inclusive; of the block's time. */
  readonly startAt: Instant | undefined
  readonly endAt: Instant | undefined
}

/** One more than the page, newest block first, ties by id; at constant cost after a cursor, by one index. */
export async function listTransactions(
  db: Database,
  businessId: string,
  selection: TransactionSelection,
  page: PageRequest,
): Promise<WalletTransaction[]> {
  const { walletId, state, startAt, endAt } = selection
  const from = startAt === undefined ? empty : sql`and block_time >= ${toRfc3339(startAt)}`
  const to = endAt === undefined ? empty : sql`and block_time <= ${toRfc3339(endAt)}`
  const after =
    page.after === undefined
      ? empty
      : sql`and (block_time, id) < (${page.after.at.toString()}::timestamptz, ${page.after.id})`
  const rows = await db.read<TransactionRow>(
    businessId,
    sql`select ${COLUMNS} from wallet_transactions
         where business_id = ${businessId} and wallet_id = ${walletId} and state = ${state} ${from} ${to} ${after}
         order by block_time desc, id desc
         limit ${page.limit + 1} offset ${page.offset}`,
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
