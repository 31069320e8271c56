import { defineModule } from '#platform/module'
import { verifyEvents } from '#platform/verify'
import type { EventLog } from './events.ts'
import { EVENTS_PERSONAL_DATA } from './personal-data.ts'

export const eventsModule = defineModule({
  name: 'events',
  verify: verifyEvents,
  personalData: EVENTS_PERSONAL_DATA,
  connect: (events: EventLog) => ({ partitionedTables: events.partitionedTables }),
})
