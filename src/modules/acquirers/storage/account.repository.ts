import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { composed, computed, table } from '#platform/postgres/table'
import {
  ACCOUNT_STATES,
  type AcquirerAccount,
  MAX_ACCOUNTS,
  MAX_ACTIVE_ACCOUNTS,
  type SealedAccount,
} from '../model/account.ts'
import { ACQUIRER_NAMES, type Wallets } from '../port/adapter.ts'

const ACCOUNTS = table<SealedAccount>('acquirer_accounts', {
  id: 'text',
  acquirer: 'text',
  name: 'text',
  state: 'text',
  merchantId: 'text',
  apiBase: 'text',
  statementDescriptor: 'text',
  methods: computed('methods', 'acquirer_accounts.methods'),
  currencies: computed('currencies', 'acquirer_accounts.currencies'),
  rawCardNumbers: 'boolean',
  wallets: composed(
    ['wallet_a', 'wallet_b'],
    (walletA: Wallets['walletA'], walletB: Wallets['walletB']) => ({ walletA, walletB }),
    {
      wallet_a: ['text', ({ walletA }) => walletA],
      wallet_b: ['text', ({ walletB }) => walletB],
    },
  ),
  sealedCredentials: 'text',
  version: 'integer',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})
const CHANGED = ACCOUNTS.without('id', 'acquirer', 'state', 'merchantId', 'createdAt')

export const ACCOUNT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`id` },
  acquirer: { type: 'enum', column: sql`acquirer`, values: ACQUIRER_NAMES },
  name: { type: 'text', column: sql`name` },
  state: { type: 'enum', column: sql`state`, values: ACCOUNT_STATES },
  merchant_id: { type: 'text', column: sql`merchant_id` },
  created_at: { type: 'time', column: sql`created_at` },
}

export async function allAccounts(db: Database, businessId: string): Promise<SealedAccount[]> {
  const rows = await db.read(
    businessId,
    sql`select ${ACCOUNTS.columns} from acquirer_accounts where business_id = ${businessId} order by created_at, id`,
  )
  return rows.map(ACCOUNTS.read)
}

export async function listAccounts(
  db: Database,
  businessId: string,
  condition: Sql,
  page: PageRequest,
): Promise<AcquirerAccount[]> {
  const rows = await db.read(
    businessId,
    sql`select ${ACCOUNTS.columns} from acquirer_accounts
         where business_id = ${businessId} and ${condition}
         ${rowsOfPage(page, sql`created_at`, sql`id`)}`,
  )
  return rows.map(ACCOUNTS.read)
}

export async function findAccount(
  db: Database,
  businessId: string,
  id: string,
): Promise<SealedAccount | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${ACCOUNTS.columns} from acquirer_accounts where business_id = ${businessId} and id = ${id}`,
  )
  return row && ACCOUNTS.read(row)
}

export async function lockAccount(tx: Tx, id: string): Promise<SealedAccount | undefined> {
  const [row] = await tx.query(sql`
    select ${ACCOUNTS.columns} from acquirer_accounts
     where business_id = ${tx.businessId} and id = ${id}
       for no key update`)
  return row && ACCOUNTS.read(row)
}

export async function accountIds(tx: Tx): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from acquirer_accounts where business_id = ${tx.businessId}`)
  return new Set(rows.map(({ id }) => id))
}

export async function insertAccount(tx: Tx, account: SealedAccount): Promise<boolean> {
  // The lock makes concurrent inserts count each other. Every business has a clock row.
  await tx.execute(sql`select from business_clocks where business_id = ${tx.businessId} for no key update`)
  const inserted = await tx.execute(sql`
    insert into acquirer_accounts ${ACCOUNTS.values(tx.businessId, [account], {
      methods: sql`${[...account.methods]}::text[]`,
      currencies: sql`${[...account.currencies]}::text[]`,
    })}
     cross join (
           select count(*) as accounts, count(*) filter (where state = 'active') as active
             from acquirer_accounts where business_id = ${tx.businessId}) existing
     where active < ${MAX_ACTIVE_ACCOUNTS}::int and accounts < ${MAX_ACCOUNTS}::int`)
  return inserted === 1
}

export async function updateAccountRow(tx: Tx, account: SealedAccount): Promise<void> {
  await tx.execute(sql`
    update acquirer_accounts
       set ${CHANGED.set(account)}, methods = ${[...account.methods]}, currencies = ${[...account.currencies]}
     where business_id = ${tx.businessId} and id = ${account.id}`)
}

export async function disableAccountRow(tx: Tx, id: string): Promise<AcquirerAccount | undefined> {
  const [disabled] = await tx.query(sql`
    update acquirer_accounts
       set state = 'disabled', version = version + 1, updated_at = greatest(updated_at, ${toRfc3339(tx.now)})
     where business_id = ${tx.businessId} and id = ${id} and state = 'active'
    returning ${ACCOUNTS.columns}`)
  return disabled === undefined ? lockAccount(tx, id) : ACCOUNTS.read(disabled)
}
