import sql, { type Sql } from 'sql-template-tag'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf } from '#platform/postgres/rows'
import { amount, table } from '#platform/postgres/table'
import type { InvoiceState } from '../model/invoice.ts'

/** An invoice that a bank transfer may pay. */
export interface PayableInvoice {
  readonly id: string
  readonly number: string
  readonly paymentReference: string
  readonly customerUuid: string
  readonly orderId: string
  readonly state: InvoiceState
  readonly amountDue: Money
  readonly creditedTotal: Money
}

const PAYABLE = table<PayableInvoice>('i', {
  id: 'text',
  number: 'text',
  paymentReference: 'text',
  customerUuid: 'text',
  orderId: 'text',
  state: 'text',
  amountDue: amount('due_minor'),
  creditedTotal: amount('credited_minor'),
})

/** Returns the lengths of the business's invoice numbers, without blanks and hyphens. A key begins with its length. */
export async function numberLengths(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ length: number }>(sql`
    with recursive found(key) as (
      (select number_key from invoices
        where business_id = ${tx.businessId} and number_key is not null order by number_key limit 1)
      union all
      select (select i.number_key from invoices i
               where i.business_id = ${tx.businessId} and i.number_key is not null
                 and i.number_key >= lpad((left(found.key, 3)::integer + 1)::text, 3, '0') collate "C"
               order by i.number_key limit 1)
        from found where found.key is not null)
    select left(key, 3)::integer as length from found where key is not null`)
  return rows.map(({ length }) => length)
}

/** Numbers and payment references without case, blanks and hyphens. */
interface InvoiceNames {
  readonly numbers: readonly string[]
  readonly references: readonly string[]
}

/** An invoice that was replaced stands for the one that replaces it, which payers may not have seen yet. */
export async function findNamedInvoices(tx: Tx, names: InvoiceNames): Promise<PayableInvoice[]> {
  const rows = await tx.query(sql`
    select c.id, i.number, i.payment_reference, c.customer_uuid, c.order_id, c.state, c.currency, c.due_minor, c.credited_minor
      from invoices i
      join invoices c
        on c.business_id = ${tx.businessId}
       and c.id = case when i.replaced_by is null then i.id
                       else (select r.id from invoices r
                              where r.business_id = ${tx.businessId} and r.order_id = i.order_id and r.type = 'invoice'
                                and r.replaced_by is null) end
     where i.business_id = ${tx.businessId} and i.id in (${idsOfNamed(tx, names)})
     order by c.id, i.id`)
  return rows.map(PAYABLE.read)
}

function idsOfNamed(tx: Tx, { numbers, references }: InvoiceNames): Sql {
  const keys = numbers.map((number) => `${String(number.length).padStart(3, '0')}${number}`)
  return sql`
    select id from invoices where business_id = ${tx.businessId} and ${isOneOf(sql`number_key`, keys)}
    union all
    select id from invoices where business_id = ${tx.businessId} and type = 'invoice'
       and ${isOneOf(
         sql`payment_reference`,
         references.map((reference) => reference.toUpperCase()),
       )}`
}

export function findPayableInvoices(tx: Tx, ids: readonly string[]): Promise<PayableInvoice[]> {
  return find(tx, sql`i.type = 'invoice' and ${isOneOf(sql`i.id`, ids)}`)
}

/**
 * Open invoices of these customers of which exactly one of the amounts is due: the oldest of each customer and amount.
 * - `without`: The ids of invoices that are not looked for.
 * - `limit`: Of one customer and amount.
 */
export async function findOpenInvoicesOf(
  tx: Tx,
  {
    customerUuids,
    dues,
    without,
    limit,
  }: {
    readonly customerUuids: readonly string[]
    readonly dues: readonly Money[]
    readonly without: readonly string[]
    readonly limit: number
  },
): Promise<PayableInvoice[]> {
  const minors = [...new Set(dues.map(({ minor }) => minor.toString()))]
  const rows = await tx.query(sql`
    select * from (
           select ${PAYABLE.columns},
                  row_number() over (partition by i.customer_uuid, i.currency, i.due_minor order by i.id) as place
             from invoices i
            where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.customer_uuid`, customerUuids)} and i.state = 'open'
              and i.due_minor in (select unnest((select ${minors}::numeric[])))
              and i.id not in (select unnest((select ${[...without]}::text[])))) i
     where place <= ${limit}::integer
     order by id`)
  return rows.map(PAYABLE.read)
}

async function find(tx: Tx, condition: Sql): Promise<PayableInvoice[]> {
  const rows = await tx.query(sql`
    select ${PAYABLE.columns} from invoices i where i.business_id = ${tx.businessId} and ${condition} order by i.id`)
  return rows.map(PAYABLE.read)
}

/** - `customerName`: As the invoice has it. */
interface SuggestableInvoice extends PayableInvoice {
  readonly customerName: string
  readonly dueDate: string
}

const SUGGESTED_OF_CUSTOMER = 20

/** Invoices that have one of the names, and open ones that belong to one of the orders or are among the newest of one of the customers. */
export async function findSuggestableInvoices(
  tx: Tx,
  names: InvoiceNames & { readonly orderIds: readonly string[]; readonly customerUuids: readonly string[] },
): Promise<SuggestableInvoice[]> {
  const rows = await tx.query<{ customer_name: string; due_date: string }>(sql`
    select ${PAYABLE.columns}, i.copy -> 'buyer' ->> 'name' as customer_name, i.due_date
      from invoices i
     where i.business_id = ${tx.businessId} and i.type = 'invoice' and i.id in (
           ${idsOfNamed(tx, names)}
           union all
           select id from invoices
            where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, names.orderIds)} and state = 'open'
           union all
           select newest.id from ${givenIds(names.customerUuids)}
            cross join lateral (
                  select id from invoices
                   where business_id = ${tx.businessId} and customer_uuid = given.id and state = 'open'
                   order by created_at desc, id desc limit ${SUGGESTED_OF_CUSTOMER}) newest)
     order by i.id`)
  return rows.map((row) => ({ ...PAYABLE.read(row), customerName: row.customer_name, dueDate: row.due_date }))
}
