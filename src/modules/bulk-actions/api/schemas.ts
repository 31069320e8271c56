import Type from 'typebox'
import { ListQuery, PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { BULK_ACTION_NAMES, BULK_ACTION_STATES, STOP_REASONS } from '../model/bulk-action.ts'
import { DeliveriesBulkRequest, PaymentsBulkRequest, PlansBulkRequest } from '../model/bulk-requests.ts'

export const PaymentsBulkBody = strictObject({ bulk_action: PaymentsBulkRequest })
export const PlansBulkBody = strictObject({ bulk_action: PlansBulkRequest })
export const DeliveriesBulkBody = strictObject({ bulk_action: DeliveriesBulkRequest })

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
