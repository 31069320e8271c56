import sql, { empty } from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { named, table } from '#platform/postgres/table'
import type { Wallet } from '../model/wallet.ts'
import type { AddressOwner } from '../model/block-range.ts'

const MAX_ADDRESSES_PER_QUERY = 10_000

const WALLETS = table<Wallet>('wallets', {
  id: 'text',
  userId: named('p_user_id', 'text'),
  number: 'integer',
  address: 'text',
  createdAt: 'timestamptz',
})

export async function lockLastWalletNumber(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ last_number: number }>(sql`
    insert into wallet_counters (business_id, last_number) values (${tx.businessId}, 0)
    on conflict (business_id) do update set last_number = wallet_counters.last_number
    returning last_number`)
  if (row === undefined) throw new Error('the counter of wallets returned no row')
  return row.last_number
}

export async function setLastWalletNumber(tx: Tx, number: number): Promise<void> {
  await tx.execute(sql`
    update wallet_counters set last_number = ${number} where business_id = ${tx.businessId}`)
}

export async function skipWalletNumbers(tx: Tx, count: number): Promise<void> {
  await tx.execute(sql`
    update wallet_counters set last_number = last_number + ${count} where business_id = ${tx.businessId}`)
}

export async function insertWallet(tx: Tx, wallet: Wallet): Promise<void> {
  await tx.execute(sql`
    insert into wallets ${WALLETS.values(tx.businessId, [wallet])}`)
}

export async function setWalletAddress(tx: Tx, id: string, address: string): Promise<void> {
  await tx.execute(sql`
    update wallets set address = ${address}
     where business_id = ${tx.businessId} and id = ${id} and address is null`)
}

export async function insertDepositAddress(tx: Tx, address: string, walletId: string): Promise<void> {
  await tx.execute(sql`
    insert into deposit_addresses (address, business_id, wallet_id)
    values (${address.toLowerCase()}, ${tx.businessId}, ${walletId})`)
}

export async function lockWalletOfUser(tx: Tx, userId: string): Promise<Wallet | null> {
  const rows = await tx.query(sql`
    select ${WALLETS.columns} from wallets
     where business_id = ${tx.businessId} and p_user_id = ${userId}
       for no key update`)
  return rows[0] === undefined ? null : WALLETS.read(rows[0])
}

export async function findWallet(db: Database, businessId: string, id: string): Promise<Wallet | null> {
  const rows = await db.read(
    businessId,
    sql`select ${WALLETS.columns} from wallets where business_id = ${businessId} and id = ${id}`,
  )
  return rows[0] === undefined ? null : WALLETS.read(rows[0])
}

export async function walletExists(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from wallets where business_id = ${tx.businessId} and id = ${id}`)
  return rows.length === 1
}

export async function findUsersOfWallets(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; p_user_id: string }>(sql`
    select id, p_user_id from wallets where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}`)
  return new Map(rows.map((row) => [row.id, row.p_user_id]))
}

export async function listWallets(
  db: Database,
  businessId: string,
  userId: string | undefined,
  page: PageRequest,
): Promise<Wallet[]> {
  const ofUser = userId === undefined ? empty : sql`and p_user_id = ${userId}`
  const rows = await db.read(
    businessId,
    sql`select ${WALLETS.columns} from wallets
         where business_id = ${businessId} ${ofUser}
         ${rowsOfPage(page, sql`created_at`, sql`id`)}`,
  )
  return rows.map(WALLETS.read)
}

export async function findOwners(
  db: Database,
  addresses: readonly string[],
): Promise<Map<string, AddressOwner>> {
  const distinct = [...new Set(addresses)]
  const owners = new Map<string, AddressOwner>()
  for (let from = 0; from < distinct.length; from += MAX_ADDRESSES_PER_QUERY) {
    const part = distinct.slice(from, from + MAX_ADDRESSES_PER_QUERY)
    const rows = await db.shared.query<{ address: string; business_id: string; wallet_id: string }>(sql`
      select address, business_id, wallet_id from deposit_addresses where ${isOneOf(sql`address`, part)}`)
    for (const row of rows) {
      owners.set(row.address, { businessId: row.business_id, walletId: row.wallet_id })
    }
  }
  return owners
}
