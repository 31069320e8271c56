import Type, { type Static } from 'typebox'
import { BillingConfigText, BillingCount, PRORATION_UNITS, RecurringItems } from '#modules/plans'
import { Amount, OneOf, strictObject, Text, Timestamp } from '#platform/http/validation/schemas'

/** Two ways to say which items a plan is to have. */
export const CHANGED_ITEMS = {
  recurring_items: Type.Optional(RecurringItems),
  replace: Type.Optional(
    Type.Array(strictObject({ from: Text({ max: 255 }), to: Text({ max: 255 }) }), {
      minItems: 1,
      maxItems: 100,
      description: 'Prices that take the place of others, in the same quantities.',
    }),
  ),
}

const members = {
  ...CHANGED_ITEMS,
  recurring_billing_config: Type.Optional(BillingConfigText),
  billing_count: Type.Optional(BillingCount),
  at: Type.Optional(OneOf(['now', 'period_end'], { description: 'Default now.' })),
  proration: Type.Optional(
    OneOf(['now', 'next_order', 'none'], {
      description:
        'Whether the difference is billed by an order at once (default), by the next order, or not.',
    }),
  ),
  proration_unit: Type.Optional(OneOf(PRORATION_UNITS, { description: 'Default day.' })),
  proration_date: Type.Optional(
    Timestamp({
      description: 'The time from which the change is priced, such as 2031-03-15T09:00:00Z. Default now.',
    }),
  ),
}

export const PlanChangeSchema = strictObject(
  {
    ...members,
    cycle_id: Type.Optional(Text({ max: 255, description: 'An upcoming cycle, which is replaced.' })),
    expected_total: Type.Optional(
      Amount({ description: 'The total of a preview. With another total nothing is done.' }),
    ),
    only_if_paid: Type.Optional(
      Type.Boolean({
        description:
          'Whether the order is charged first, and the change takes place only if it is paid. Default false.',
      }),
    ),
  },
  { title: 'PlanChangeRequest' },
)
/** The body of a change (reference/billing-changes#request). */
export type PlanChangeRequest = Static<typeof PlanChangeSchema>

/** A change of many plans has no member that belongs to one of them. */
export const BulkPlanChange = strictObject(members, { title: 'BulkPlanChange' })
