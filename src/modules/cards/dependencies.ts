import type { Businesses } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { Egress } from '#platform/security/egress'
import type { EventLog } from '#platform/events/events'
import type { Keyring } from '#platform/security/keyring'
import type { ObserveDecision } from './model/decision.ts'
import type { FundingPort } from './model/funding-port.ts'

export interface CardsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: Pick<Businesses, 'profile' | 'encryptionKey'>
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly egress: Pick<Egress, 'checkUrl' | 'post'>
  readonly onDecision?: ObserveDecision
  readonly funding?: FundingPort
}
