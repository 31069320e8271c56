import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { computed, json, table } from '#platform/postgres/table'
import { type Metadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Customer } from '../model/customer.ts'
import type { CustomerProfile } from '../model/customer-requests.ts'

const CUSTOMERS = table<Customer>('customers', {
  uuid: 'text',
  referenceNumber: 'text',
  name: 'text',
  email: 'text',
  dialCode: 'text',
  phone: 'text',
  companyName: 'text',
  defaultPaymentMethod: 'text',
  defaultToken: 'text',
  messagesOff: computed('messages_off', 'customers.messages_off'),
  metadata: json(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  erasedAt: 'timestamptz',
})

export async function insertCustomer(
  tx: Tx,
  customer: {
    readonly uuid: string
    readonly referenceNumber: string
    readonly profile: CustomerProfile
    readonly metadata: Metadata
    readonly at: Instant
  },
): Promise<Customer | null> {
  const { profile } = customer
  const at = toRfc3339(customer.at)
  const rows = await tx.query(sql`
    insert into customers (business_id, uuid, reference_number, name, email, dial_code, phone, company_name,
                           default_payment_method, messages_off, metadata, created_at, updated_at)
    values (${tx.businessId}, ${customer.uuid}, ${customer.referenceNumber}, ${profile.name}, ${profile.email || null},
            ${profile.dial_code || null}, ${profile.phone}, ${profile.company_name || null},
            ${profile.default_payment_method ?? null}, ${offOf(profile)}::text[], ${storedMetadata(customer.metadata)}::jsonb, ${at}, ${at})
    on conflict (business_id, reference_number) do nothing
    returning ${CUSTOMERS.columns}`)
  return first(rows)
}

/**
 * The caller holds the customer's lock. The transaction that held the lock before may have read a later time, and
 * `updated_at` never goes back.
 */
export async function updateCustomer(
  tx: Tx,
  uuid: string,
  edit: {
    readonly profile: CustomerProfile
    readonly defaultToken: string | null
    readonly metadata: Metadata
    readonly at: Instant
  },
): Promise<Customer | null> {
  const { profile, defaultToken, metadata, at } = edit
  const rows = await tx.query(sql`
    update customers
       set name = ${profile.name}, phone = ${profile.phone}, email = nullif(coalesce(${profile.email ?? null}, email), ''),
           dial_code = nullif(coalesce(${profile.dial_code ?? null}, dial_code), ''),
           company_name = nullif(coalesce(${profile.company_name ?? null}, company_name), ''),
           default_payment_method = coalesce(${profile.default_payment_method ?? null}, default_payment_method),
           messages_off = case when ${profile.messages !== undefined}::boolean then ${offOf(profile)}::text[] else messages_off end,
           default_token = coalesce(${defaultToken}, default_token), metadata = ${storedMetadata(metadata)}::jsonb,
           updated_at = greatest(updated_at, ${toRfc3339(at)})
     where business_id = ${tx.businessId} and uuid = ${uuid}
    returning ${CUSTOMERS.columns}`)
  return first(rows)
}

export async function setDefaultToken(
  tx: Tx,
  uuid: string,
  token: string | null,
  at: Instant,
): Promise<void> {
  await tx.execute(sql`
    update customers set default_token = ${token}, updated_at = greatest(updated_at, ${toRfc3339(at)})
     where business_id = ${tx.businessId} and uuid = ${uuid}`)
}

/**
 * Serializes binding, editing and deleting the tokens of one customer. The customer is locked before a token. Orders and
 * plans that refer to the customer do not wait for this lock.
 */
export async function lockCustomer(tx: Tx, uuid: string): Promise<Customer | null> {
  const rows = await tx.query(sql`
    select ${CUSTOMERS.columns} from customers
     where business_id = ${tx.businessId} and uuid = ${uuid}
       for no key update`)
  return first(rows)
}

/** Waits for everything that is being made for the customer, and lets nothing begin until the end of the transaction. */
export async function lockCustomerToErase(tx: Tx, uuid: string): Promise<Customer | null> {
  const rows = await tx.query(sql`
    select ${CUSTOMERS.columns} from customers where business_id = ${tx.businessId} and uuid = ${uuid} for update`)
  return first(rows)
}

export function findCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>> {
  return readCustomers(tx, uuids, empty)
}

/**
 * Finds customers for whom this transaction makes something that an erasure has to know. They are not erased until it ends, and nothing but
 * an erasure waits for it.
 */
export function holdCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>> {
  return readCustomers(tx, uuids, sql`for key share`)
}

async function readCustomers(tx: Tx, uuids: readonly string[], lock: Sql): Promise<Map<string, Customer>> {
  const rows = await tx.query(sql`
    select ${CUSTOMERS.columns} from customers
     where business_id = ${tx.businessId} and ${isOneOf(sql`uuid`, uuids)} ${lock}`)
  return new Map(rows.map(CUSTOMERS.read).map((customer) => [customer.uuid, customer]))
}

export async function findCustomerByReference(tx: Tx, referenceNumber: string): Promise<Customer | null> {
  const rows = await tx.query(sql`
    select ${CUSTOMERS.columns} from customers
     where business_id = ${tx.businessId} and reference_number = ${referenceNumber}`)
  return first(rows)
}

export async function listCustomers(tx: Tx, condition: Sql, page: PageRequest): Promise<Customer[]> {
  const rows = await tx.query(sql`
    select ${CUSTOMERS.columns} from customers
     where business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`created_at`, sql`uuid`)}`)
  return rows.map(CUSTOMERS.read)
}

function offOf({ messages }: CustomerProfile): string[] | null {
  return messages === undefined || messages.off.length === 0 ? null : [...messages.off]
}

function first(rows: readonly object[]): Customer | null {
  return rows[0] === undefined ? null : CUSTOMERS.read(rows[0])
}
