import Type, { type Static } from 'typebox'
import { OneOf, strictObject } from '#platform/http/validation/schemas'

export const CancelPlanBody = strictObject({
  at_period_end: Type.Optional(Type.Boolean({ description: 'Default false: at once.' })),
  unused: Type.Optional(
    OneOf(['keep', 'refund'], {
      description:
        'keep (default), or refund: what was billed for the days that are left lowers what is unpaid, and the rest is refunded. At once only.',
    }),
  ),
})
export type CancelRequest = Static<typeof CancelPlanBody>
