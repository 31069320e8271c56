import sql from 'sql-template-tag'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit, narrowAmount } from '#platform/filter/minor-units'
import { CORRESPONDENCE_STATES } from '../model/order.ts'
import { ORDER_STATES } from '../model/order.states.ts'

const CLOSED_STATES = new Set(['refunded', 'voided', 'expired'])

/** `payableTotal` and what was paid of it (model/order.ts). */
const PAYABLE = sql`(o.initial_total_minor + coalesce(o.credit_returned_minor, 0) - o.credited_minor - coalesce(o.written_off_minor, 0))`
const KEPT = sql`(o.paid_total_minor - coalesce(o.moved_to_credit_minor, 0))`

export const ORDER_FIELDS: FilterFields = {
  number: { type: 'text', column: sql`o.id`, prefix: true },
  reference_number: { type: 'text', column: sql`o.reference_number`, prefix: true },
  state: {
    type: 'enum',
    column: sql`o.state`,
    values: Object.keys(ORDER_STATES),
    narrow: (state) => (CLOSED_STATES.has(state) ? sql`o.closed_state = ${state}` : undefined),
  },
  correspondence_state: {
    type: 'enum',
    column: sql`(case when ${KEPT} > ${PAYABLE} then 'over_paid'
                      when o.paid_total_minor = 0 and o.initial_total_minor > 0 then 'unpaid'
                      when ${KEPT} = ${PAYABLE} then 'paid'
                      else 'partial_paid' end)`,
    values: CORRESPONDENCE_STATES,
  },
  currency: { type: 'text', column: sql`o.currency` },
  initial_total: {
    type: 'decimal',
    column: sql`(o.initial_total_minor / ${minorPerUnit(sql`o.currency`)})`,
    narrow: narrowAmount(sql`o.amount_key`),
  },
  created_at: { type: 'time', column: sql`o.created_at` },
  'customer.uuid': { type: 'text', column: sql`o.customer_uuid` },
}
