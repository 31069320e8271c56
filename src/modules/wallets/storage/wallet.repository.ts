import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import type { Wallet } from '../addresses/wallet.ts'

interface WalletRow {
  id: string
  p_user_id: string
  number: number
  address: string | null
  created_at: Instant
}

const COLUMNS = sql`id, p_user_id, number, address, created_at`

/** Locks the counter of the tenant's wallets and answers the last number given; 0 before the first. */
export async function lockLastWalletNumber(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ last_number: number }>(sql`
    insert into wallet_counters (business_id, last_number) values (${tx.businessId}, 0)
    on conflict (business_id) do update set last_number = wallet_counters.last_number
    returning last_number`)
  if (row === undefined) throw new Error('the counter of wallets answered nothing')
  return row.last_number
}

/** The caller holds the counter's lock. */
export async function setLastWalletNumber(tx: Tx, number: number): Promise<void> {
  await tx.execute(sql`
    update wallet_counters set last_number = ${number} where business_id = ${tx.businessId}`)
}

export async function insertWallet(tx: Tx, wallet: Wallet): Promise<void> {
  await tx.execute(sql`
    insert into wallets (business_id, id, p_user_id, number, address, created_at)
    values (${tx.businessId}, ${wallet.id}, ${wallet.userId}, ${wallet.number}, ${wallet.address},
            ${toRfc3339(wallet.createdAt)})`)
}

/** Gives an address to a wallet that was made before there was an extended public key. */
export async function setWalletAddress(tx: Tx, id: string, address: string): Promise<void> {
  await tx.execute(sql`
    update wallets set address = ${address}
     where business_id = ${tx.businessId} and id = ${id} and address is null`)
}

/** Makes the address known to the watcher. A second owner of an address is refused by the primary key. */
export async function insertDepositAddress(tx: Tx, address: string, walletId: string): Promise<void> {
  await tx.execute(sql`
    insert into deposit_addresses (address, business_id, wallet_id)
    values (${address.toLowerCase()}, ${tx.businessId}, ${walletId})`)
}

export async function lockWalletOfUser(tx: Tx, userId: string): Promise<Wallet | null> {
  const rows = await tx.query<WalletRow>(sql`
    select ${COLUMNS} from wallets
     where business_id = ${tx.businessId} and p_user_id = ${userId}
       for no key update`)
  return rows[0] === undefined ? null : toWallet(rows[0])
}

export async function findWallet(db: Database, businessId: string, id: string): Promise<Wallet | null> {
  const rows = await db.read<WalletRow>(
    businessId,
    sql`select ${COLUMNS} from wallets where business_id = ${businessId} and id = ${id}`,
  )
  return rows[0] === undefined ? null : toWallet(rows[0])
}

export async function walletExists(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from wallets where business_id = ${tx.businessId} and id = ${id}`)
  return rows.length === 1
}

/** The users of these wallets, by wallet id. */
export async function findUsersOfWallets(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; p_user_id: string }>(sql`
    select id, p_user_id from wallets where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}`)
  return new Map(rows.map((row) => [row.id, row.p_user_id]))
}

/** One more than the page, newest first; of one user when `userId` is given. */
export async function listWallets(
  db: Database,
  businessId: string,
  userId: string | undefined,
  page: PageRequest,
): Promise<Wallet[]> {
  const ofUser = userId === undefined ? empty : sql`and p_user_id = ${userId}`
  const rows = await db.read<WalletRow>(
    businessId,
    sql`select ${COLUMNS} from wallets
         where business_id = ${businessId} ${ofUser}
         ${rowsOfPage(page, sql`created_at`, sql`id`)}`,
  )
  return rows.map(toWallet)
}

function toWallet(row: WalletRow): Wallet {
  return {
    id: row.id,
    userId: row.p_user_id,
    number: row.number,
    address: row.address,
    createdAt: row.created_at,
  }
}
