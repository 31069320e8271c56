import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit, narrowAmount } from '#platform/filter/minor-units'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { renderListedTransaction } from '../api/render.ts'
import type { PaymentsContext } from '../context.ts'
import { PAYMENT_METHODS, TRANSACTION_TYPES } from '../model/transaction.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { listTransactions, narrowState } from '../storage/transaction-list.repository.ts'

export const TRANSACTION_FIELDS: FilterFields = {
  uuid: { type: 'text', column: sql`t.id`, prefix: true },
  reference_id: { type: 'text', column: sql`t.reference_id`, prefix: true },
  type: {
    type: 'enum',
    column: sql`t.type`,
    values: TRANSACTION_TYPES,
    narrow: (type) => (type === 'Sales' ? undefined : sql`t.type <> 'Sales'`),
  },
  state: {
    type: 'enum',
    column: sql`t.state`,
    values: Object.keys(TRANSACTION_STATES),
    narrow: narrowState,
  },
  decline_code: { type: 'text', column: sql`t.decline_code` },
  amount: {
    type: 'decimal',
    column: sql`(t.amount_minor / ${minorPerUnit(sql`t.currency`)})`,
    narrow: narrowAmount(sql`t.amount_key`),
  },
  currency: { type: 'text', column: sql`t.currency` },
  created_at: { type: 'time', column: sql`t.created_at` },
  acquirer: { type: 'text', column: sql`t.acquirer_name` },
  account_id: {
    type: 'text',
    column: sql`t.acquirer_account_id`,
    narrow: (id) => (id === 'simulator' ? undefined : sql`t.acquirer_account_id <> 'simulator'`),
  },
  payment_method: { type: 'enum', column: sql`t.payment_method`, values: PAYMENT_METHODS },
  last_4_digits: { type: 'text', column: sql`t.last_4` },
  order_number: { type: 'text', column: sql`t.order_id` },
  customer_uuid: {
    type: 'text',
    column: sql`(select o.customer_uuid from orders o where o.business_id = t.business_id and o.id = t.order_id)`,
    narrow: (uuid) => sql`t.order_id = any (array(
      select c.id from orders c
       where c.business_id = current_setting('quittance.business_id', true) and c.customer_uuid = ${uuid}))`,
  },
}

export async function transactionsPage(
  ctx: PaymentsContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, TRANSACTION_FIELDS, timeZone)
  const { listed, related, now } = await ctx.db.transact(
    businessId,
    async (tx) => ({ ...(await listTransactions(tx, condition, request)), now: tx.now }),
    { isSnapshot: true, isSearch: filter !== undefined },
  )
  const { rows, page } = renderPage(
    request,
    listed,
    ({ transaction }) => ({ at: transaction.createdAt, id: transaction.id }),
    ({ transaction, customerUuid }) =>
      renderListedTransaction(transaction, related.get(transaction.orderId) ?? [], customerUuid, now),
  )
  return { transactions: rows, page }
}
