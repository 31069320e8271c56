import Type, { type Static } from 'typebox'
import { BulkPlanChange } from '#modules/billing'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'

/** The bound of reference/bulk-actions#selection. */
const MAX_IDS = 10_000

function selection(filter: string) {
  return {
    ids: Type.Optional(Type.Array(Text({ max: 128 }), { minItems: 1, maxItems: MAX_IDS })),
    filter: Type.Optional(Text({ max: 16_000, description: filter })),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Default false. True changes nothing and reports what would happen.' }),
    ),
  }
}

const paymentOptions = {
  note: Type.Optional(Text({ max: 4_096, description: 'Of the refunds and of voided transactions.' })),
}

const planOptions = {
  at_period_end: Type.Optional(Type.Boolean({ description: 'With cancel. Default false: at once.' })),
  change: Type.Optional(BulkPlanChange),
}

export const PaymentsBulkRequest = strictObject({
  action: OneOf(['refund', 'void']),
  ...paymentOptions,
  ...selection('The filter of the list of orders. `ids` are numbers of orders or uuids of transactions.'),
})

export const PlansBulkRequest = strictObject({
  action: OneOf(['cancel', 'change']),
  ...planOptions,
  ...selection('The filter of the list of plans.'),
})

export const DeliveriesBulkRequest = strictObject({
  action: OneOf(['redeliver']),
  ...selection('Fields: `state`, `event_id`, `endpoint_id`, `object_id`, `created_at`.'),
})

export type BulkRequest =
  | Static<typeof PaymentsBulkRequest>
  | Static<typeof PlansBulkRequest>
  | Static<typeof DeliveriesBulkRequest>

/** What a request says beside its action and its selection. It is stored with the bulk action. */
export type BulkOptions = Static<Type.TObject<typeof paymentOptions & typeof planOptions>>
