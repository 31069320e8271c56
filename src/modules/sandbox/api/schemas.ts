import Type from 'typebox'
import { strictObject, Text, Timestamp, TimestampOut } from '#platform/http/validation/schemas'

export const ClockData = Type.Object({
  clock: Type.Object({ now: TimestampOut({ description: 'RFC 3339, UTC' }) }),
})

export const AdvanceBody = strictObject({
  to: Type.Optional(Timestamp({ description: 'The target time; send either this or by' })),
  by: Type.Optional(Text({ max: 64, description: 'An ISO 8601 duration such as P1M, at most 10 years' })),
})
