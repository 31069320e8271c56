import Type from 'typebox'
import { strictObject, Timestamp, TimestampOut } from '#platform/http/validation/schemas'

export const ClockData = Type.Object({
  clock: Type.Object({ now: TimestampOut({ description: 'RFC 3339, UTC' }) }),
})

export const DueQuery = strictObject({
  to: Timestamp({ description: 'The end of the time to look at' }),
})

export const DueData = Type.Object({
  due: Type.Array(
    Type.Object({
      work: Type.String({
        description: 'A kind of scheduled work: recurring, order_expiry, card_hold_expiry, …',
      }),
      next_at: TimestampOut({ description: 'When the first work of this kind becomes due' }),
    }),
  ),
})

const Percent = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description })
const FAULT_MEMBERS = {
  latency_ms: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    description: 'Waits so long before each response',
  }),
  fail_before_percent: Percent('How often it answers 500 and books nothing'),
  fail_after_percent: Percent('How often it books and answers 500'),
  lose_answer_percent: Percent('How often it books and cuts the connection'),
}

export const FaultsBody = strictObject({ faults: strictObject(FAULT_MEMBERS) })
export const FaultsData = Type.Object({ faults: Type.Object(FAULT_MEMBERS) })
