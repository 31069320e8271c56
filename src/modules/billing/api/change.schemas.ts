import Type from 'typebox'
import { OrderSchema, OrderTaxSchema, TransactionWithOrder } from '#modules/payments'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { OTHER_PRICE } from '#modules/catalogue'
import { PlanLine, PlanSchema, PreviewSchema } from './schemas.ts'
import { PlanChangeSchema } from '../changes/change-request.ts'

export const ChangePlanBody = strictObject({ change: PlanChangeSchema })

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
