import Type from 'typebox'
import { BulkPlanChange } from '#modules/billing'
import { ListQuery, PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { BULK_ACTION_NAMES, BULK_ACTION_STATES, STOP_REASONS } from '../model/bulk-action.ts'

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

export const PaymentsBulkBody = strictObject({
  bulk_action: strictObject({
    action: OneOf(['refund', 'void']),
    note: Type.Optional(Text({ max: 4_096, description: 'Of the refunds and of voided transactions.' })),
    ...selection('The filter of the list of orders. `ids` are numbers of orders or uuids of transactions.'),
  }),
})

export const PlansBulkBody = strictObject({
  bulk_action: strictObject({
    action: OneOf(['cancel', 'change']),
    at_period_end: Type.Optional(Type.Boolean({ description: 'With cancel. Default false: at once.' })),
    change: Type.Optional(BulkPlanChange),
    ...selection('The filter of the list of plans.'),
  }),
})

export const DeliveriesBulkBody = strictObject({
  bulk_action: strictObject({
    action: OneOf(['redeliver']),
    ...selection('Fields: `state`, `event_id`, `endpoint_id`, `object_id`, `created_at`.'),
  }),
})

const FailureSchema = Resource('BulkActionFailure', {
  id: Type.String(),
  reason: Type.String({ description: 'The reason that the operation on this object would answer.' }),
  message: Type.String(),
})

const members = {
  id: Type.String(),
  action: OneOf(BULK_ACTION_NAMES),
  dry_run: Type.Boolean(),
  state: OneOf(BULK_ACTION_STATES, { description: '`pending` while the objects are selected.' }),
  stop_reason: Nullable(
    OneOf(STOP_REASONS, {
      description: 'Why the caller lost the right. Null unless the state is `stopped`.',
    }),
  ),
  total: Type.Integer({ description: 'Selected objects. Grows while the state is `pending`.' }),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  amounts: Type.Array(Type.Object({ currency: Type.String(), total: AmountOut() }), {
    description: 'What was moved, or would be.',
  }),
  created_at: TimestampOut(),
  completed_at: Nullable(TimestampOut()),
}

export const BulkActionData = Type.Object({
  bulk_action: Resource('BulkAction', {
    ...members,
    failures: Type.Array(FailureSchema, { description: 'The first 1,000.' }),
  }),
})

export const BulkActionsQuery = ListQuery
export const BulkActionSummary = Resource('BulkActionSummary', members)
export const BulkActionsData = Type.Object({
  bulk_actions: Type.Array(BulkActionSummary),
  page: PageSchema,
})
