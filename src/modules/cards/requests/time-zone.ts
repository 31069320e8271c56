import { parseTimeZone, type TimeZone } from '#kernel/time-zone'
import { errors } from '../errors.ts'

export function parseZone(name: string): TimeZone {
  const zone = parseTimeZone(name)
  if (zone === undefined) throw errors.card_time_zone_unknown({ param: 'card.time_zone' })
  return zone
}
