import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { composed, DECIMAL, type Members, named, table, WHOLE } from '#platform/postgres/table'
import type { Fee } from '../model/fee.ts'
import type { WalletTransactionState } from '../model/transaction.states.ts'
import type { Transfer, WalletTransaction } from '../model/transaction.ts'

const MEMBERS = {
  id: 'text',
  walletId: 'text',
  blockHash: 'text',
  blockNumber: WHOLE,
  blockTime: 'timestamptz',
  transactionHash: 'text',
  logIndex: 'integer',
  contractAddress: 'text',
  sourceAddress: 'text',
  destinationAddress: 'text',
  units: 'numeric',
  currency: 'text',
  decimals: 'integer',
  usdPrice: DECIMAL,
} as const satisfies Omit<Members<Transfer>, 'blockchain'>

/** Members of transfers in `chain_transfers`. */
export const TRANSFER_MEMBERS = { ...MEMBERS, blockchain: named<string>('chain', 'text') } as const

export type NewWalletTransaction = WalletTransaction & { readonly fee: Fee }

export const NEW_TRANSACTIONS = table<NewWalletTransaction>('t', {
  ...MEMBERS,
  blockchain: 'text',
  usdMinor: named('amount_in_usd_minor', 'numeric'),
  fee: composed(
    ['fixed_fee_minor', 'percentage_fee::text'],
    (fixedMinor: bigint, percentage: string) => ({ fixedMinor, percentage: decimal(percentage) }),
    {
      fixed_fee_minor: ['numeric', (fee) => fee.fixedMinor],
      percentage_fee: ['numeric', (fee) => decimalToString(fee.percentage)],
    },
  ),
  feeMinor: named('calculated_fee_minor', 'numeric'),
  state: 'text',
})
const TRANSACTIONS = NEW_TRANSACTIONS.without('fee')

export async function insertTransactions(
  tx: Tx,
  transactions: readonly NewWalletTransaction[],
): Promise<void> {
  if (transactions.length === 0) return
  await tx.execute(sql`
    insert into wallet_transactions ${NEW_TRANSACTIONS.values(tx.businessId, transactions)}`)
}

export async function lockTransactions(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, WalletTransaction>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query(sql`
    select ${TRANSACTIONS.columns} from wallet_transactions t
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}
     order by id
       for no key update`)
  return new Map(rows.map(TRANSACTIONS.read).map((transaction) => [transaction.id, transaction]))
}

const changedStates = TRANSACTIONS.only('id', 'state').rowsAs('changed')

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
  const rows = await db.read(
    businessId,
    sql`select ${TRANSACTIONS.columns} from wallet_transactions t
         where business_id = ${businessId} and wallet_id = ${walletId} and state = ${state} ${from} ${to}
         ${rowsOfPage(page, sql`block_time`, sql`id`)}`,
  )
  return rows.map(TRANSACTIONS.read)
}
