import Type from 'typebox'
import { OrderSchema, OrderTaxSchema, TransactionWithOrder } from '#modules/payments'
import {
  Amount,
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { PRORATION_UNITS } from '#modules/plans'
import { OTHER_PRICE } from '#modules/catalogue'
import { PlanLine, PlanSchema, PreviewSchema } from './schemas.ts'
import { BillingConfigText, BillingCount, RecurringItems } from './request-schemas.ts'

const members = {
  recurring_items: Type.Optional(RecurringItems),
  replace: Type.Optional(
    Type.Array(strictObject({ from: Text({ max: 255 }), to: Text({ max: 255 }) }), {
      minItems: 1,
      maxItems: 100,
      description: 'Prices that take the place of others, in the same quantities.',
    }),
  ),
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
    Text({
      max: 64,
      description: 'The time from which the change is priced, such as 2031-03-15T09:00:00Z. Default now.',
    }),
  ),
}

const PlanChange = strictObject(
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

/** A change of many plans has no member that belongs to one of them. */
export const BulkPlanChange = strictObject(members, { title: 'BulkPlanChange' })

export const ChangePlanBody = strictObject({ change: PlanChange })

const ChangeSchema = Resource('PlanChange', {
  state: OneOf(['applied', 'scheduled']),
  effective_at: TimestampOut(),
  proration_date: Nullable(TimestampOut()),
  remaining: Nullable(
    Type.Integer({ description: 'Local days, or milliseconds with proration_unit second.' }),
  ),
  whole: Nullable(Type.Integer()),
  line_items: Type.Array(PlanLine),
  credited: Type.Array(Type.Object({ order_number: Type.String(), amount: AmountOut() }), {
    description: 'By how much unpaid orders were lowered.',
  }),
  total: AmountOut({ description: 'Of the order, or of the lines that wait.' }),
  tax: Nullable(OrderTaxSchema),
  credit_added: AmountOut(),
})

export const PlanChangeData = Type.Object({
  plan: PlanSchema,
  change: ChangeSchema,
  order: Type.Optional(OrderSchema),
})

export const PlanChangePreview = Type.Object({
  change: ChangeSchema,
  orders: PreviewSchema.properties.orders,
})

/** With `only_if_paid`: where the payer confirms the payment, or the payment that was declined. */
export const CHANGE_UNPAID = {
  name: 'ChangeUnpaid',
  data: Type.Partial(Type.Object({ verify_url: Type.String(), ...TransactionWithOrder.properties })),
}

export const CHANGE_REFUSED = {
  name: 'ChangeRefused',
  data: Type.Object({
    ...OTHER_PRICE.data.properties,
    total: Type.Optional(AmountOut({ description: 'The total now, where `expected_total` is another.' })),
  }),
}
