import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import {
  ACCOUNT_STATES,
  type AcquirerAccount,
  MAX_ACCOUNTS,
  MAX_ACTIVE_ACCOUNTS,
  type SealedAccount,
} from '../model/account.ts'
import { ACQUIRER_NAMES } from '../port/adapter.ts'

interface AccountRow {
  id: string
  acquirer: AcquirerAccount['acquirer']
  name: string
  state: AcquirerAccount['state']
  merchant_id: string
  api_base: string
  statement_descriptor: string | null
  methods: AcquirerAccount['methods']
  currencies: string[]
  raw_card_numbers: boolean
  wallet_a: AcquirerAccount['wallets']['walletA']
  wallet_b: AcquirerAccount['wallets']['walletB']
  sealed_credentials: string
  version: number
  created_at: Instant
  updated_at: Instant
}

const COLUMNS = sql`id, acquirer, name, state, merchant_id, api_base, statement_descriptor, methods, currencies,
                    raw_card_numbers, wallet_a, wallet_b, sealed_credentials, version, created_at, updated_at`

export const ACCOUNT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`id` },
  acquirer: { type: 'enum', column: sql`acquirer`, values: ACQUIRER_NAMES },
  name: { type: 'text', column: sql`name` },
  state: { type: 'enum', column: sql`state`, values: ACCOUNT_STATES },
  merchant_id: { type: 'text', column: sql`merchant_id` },
  created_at: { type: 'time', column: sql`created_at` },
}

export async function allAccounts(db: Database, businessId: string): Promise<SealedAccount[]> {
  const rows = await db.read<AccountRow>(
    businessId,
    sql`select ${COLUMNS} from acquirer_accounts where business_id = ${businessId} order by created_at, id`,
  )
  return rows.map(toAccount)
}

export async function listAccounts(
  db: Database,
  businessId: string,
  condition: Sql,
  page: PageRequest,
): Promise<AcquirerAccount[]> {
  const rows = await db.read<AccountRow>(
    businessId,
    sql`select ${COLUMNS} from acquirer_accounts
         where business_id = ${businessId} and ${condition}
         ${rowsOfPage(page, sql`created_at`, sql`id`)}`,
  )
  return rows.map(toAccount)
}

export async function findAccount(
  db: Database,
  businessId: string,
  id: string,
): Promise<SealedAccount | undefined> {
  const [row] = await db.read<AccountRow>(
    businessId,
    sql`select ${COLUMNS} from acquirer_accounts where business_id = ${businessId} and id = ${id}`,
  )
  return row && toAccount(row)
}

export async function lockAccount(tx: Tx, id: string): Promise<SealedAccount | undefined> {
  const [row] = await tx.query<AccountRow>(sql`
    select ${COLUMNS} from acquirer_accounts
     where business_id = ${tx.businessId} and id = ${id}
       for no key update`)
  return row && toAccount(row)
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
    insert into acquirer_accounts (business_id, id, acquirer, name, state, merchant_id, api_base, statement_descriptor,
                                   methods, currencies, raw_card_numbers, wallet_a, wallet_b, sealed_credentials, version,
                                   created_at, updated_at)
    select ${tx.businessId}::text, ${account.id}::text, ${account.acquirer}::text, ${account.name}::text,
           ${account.state}::text, ${account.merchantId}::text, ${account.apiBase}::text,
           ${account.statementDescriptor}::text, ${[...account.methods]}::text[], ${[...account.currencies]}::text[],
           ${account.rawCardNumbers}::boolean, ${account.wallets.walletA}::text, ${account.wallets.walletB}::text,
           ${account.sealedCredentials}::text, ${account.version}::int,
           ${toRfc3339(account.createdAt)}::timestamptz, ${toRfc3339(account.updatedAt)}::timestamptz
      from (select count(*) as accounts, count(*) filter (where state = 'active') as active
              from acquirer_accounts where business_id = ${tx.businessId}) existing
     where active < ${MAX_ACTIVE_ACCOUNTS}::int and accounts < ${MAX_ACCOUNTS}::int`)
  return inserted === 1
}

export async function updateAccountRow(tx: Tx, account: SealedAccount): Promise<void> {
  await tx.execute(sql`
    update acquirer_accounts
       set name = ${account.name}, api_base = ${account.apiBase},
           statement_descriptor = ${account.statementDescriptor}, methods = ${[...account.methods]},
           currencies = ${[...account.currencies]}, raw_card_numbers = ${account.rawCardNumbers},
           wallet_a = ${account.wallets.walletA}, wallet_b = ${account.wallets.walletB},
           sealed_credentials = ${account.sealedCredentials}, version = ${account.version},
           updated_at = ${toRfc3339(account.updatedAt)}
     where business_id = ${tx.businessId} and id = ${account.id}`)
}

export async function disableAccountRow(tx: Tx, id: string): Promise<AcquirerAccount | undefined> {
  const [disabled] = await tx.query<AccountRow>(sql`
    update acquirer_accounts
       set state = 'disabled', version = version + 1, updated_at = greatest(updated_at, ${toRfc3339(tx.now)})
     where business_id = ${tx.businessId} and id = ${id} and state = 'active'
    returning ${COLUMNS}`)
  return disabled === undefined ? lockAccount(tx, id) : toAccount(disabled)
}

function toAccount(row: AccountRow): SealedAccount {
  return {
    id: row.id,
    acquirer: row.acquirer,
    name: row.name,
    state: row.state,
    merchantId: row.merchant_id,
    apiBase: row.api_base,
    statementDescriptor: row.statement_descriptor,
    methods: row.methods,
    currencies: row.currencies,
    rawCardNumbers: row.raw_card_numbers,
    wallets: { walletA: row.wallet_a, walletB: row.wallet_b },
    sealedCredentials: row.sealed_credentials,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
