import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { Egress } from '#platform/security/egress'
import type { Keyring } from '#platform/security/keyring'
import type { AcquirerAdapter, AcquirerName } from './port/adapter.ts'
import type { Acquirer } from './port/port.ts'
import type { SimulatorAcquirer } from './simulator/simulator-acquirer.ts'

export interface AcquirersDependencies {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly egress: Pick<Egress, 'allowsPrivate' | 'checkUrl' | 'connect'>
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'environment' | 'timeZone'>>
  }
  readonly simulator: Pick<
    SimulatorAcquirer,
    keyof Acquirer | 'forTenant' | 'disputesOf' | 'settlementOf' | 'settle'
  >
  readonly adapters: Readonly<Record<AcquirerName, AcquirerAdapter>>
  readonly publicUrl: () => string
  readonly registry: Registry
  readonly log: Logger
  readonly timeoutMs?: number
}
