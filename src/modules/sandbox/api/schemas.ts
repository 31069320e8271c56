import Type from 'typebox'
import { strictObject, Timestamp, TimestampOut } from '#platform/http/validation/schemas'
import { FAULT_MEMBERS, FaultSettingsSchema } from '../simulator/fault-settings.ts'

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

export const FaultsBody = strictObject({ faults: FaultSettingsSchema })
export const FaultsData = Type.Object({ faults: Type.Object(FAULT_MEMBERS) })
