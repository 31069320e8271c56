import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { amount, table } from '#platform/postgres/table'
import type { CorrectedInvoice } from '../model/invoice.ts'
import type { WantedExchange } from '../model/exchange.ts'
import { NAMED } from './invoice.repository.ts'
import { readCorrected, readWanted, type StoredCorrected, type StoredExchanged } from './stored-copy.ts'

/** - `overdueAt`: When a sent invoice that is open becomes overdue; null for others. */
export interface OrderDocument {
  readonly id: string
  readonly number: string
  readonly overdueAt: Instant | null
  readonly amountDue: Money
}

const DOCUMENTS = table<OrderDocument>('i', {
  id: 'text',
  number: 'text',
  overdueAt: 'timestamptz',
  amountDue: amount('due_minor'),
})

/** The invoices and credit notes of orders. */
export async function findDocumentsOfOrders(tx: Tx, orderIds: readonly string[]): Promise<OrderDocument[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query(sql`
    select ${DOCUMENTS.columns} from invoices i
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}
     order by created_at, id`)
  return rows.map(DOCUMENTS.read)
}

/**
 * The document of an order.
 * - `corrected`: It itself, or the invoices that it corrects.
 */
export interface DocumentToCorrect {
  readonly corrected: readonly CorrectedInvoice[]
  readonly issuedOn: string
  readonly exchange: WantedExchange | undefined
}

export async function findCorrected(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, DocumentToCorrect>> {
  if (orderIds.length === 0) return new Map()
  const rows = await tx.query<{ readonly copy: string }>(sql`
    select ${NAMED.columns}, (i.copy - 'lines')::text as copy from invoices i
     where business_id = ${tx.businessId} and invoice_id is null and replaced_by is null and ${isOneOf(sql`order_id`, orderIds)}`)
  return new Map(
    rows.map((row) => {
      const { orderNumber, type, number, issueDate } = NAMED.read(row)
      const copy = JSON.parse(row.copy) as StoredCorrected & StoredExchanged
      const corrected = type === 'invoice' ? [{ number, issueDate }] : readCorrected(copy)
      return [orderNumber, { corrected, issuedOn: issueDate, exchange: readWanted(copy.exchange) }]
    }),
  )
}
