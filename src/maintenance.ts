import type { Sql } from 'sql-template-tag'
import type { PersonalData } from '#platform/personal-data/personal-data'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import type { Verification } from '#platform/verify'
import { MODULES } from './modules.ts'

export const END_LEASES: readonly Sql[] = MODULES.flatMap(({ endLeases }) => endLeases ?? [])

export const PERSONAL_DATA: readonly PersonalData[] = MODULES.flatMap(
  ({ personalData }) => personalData ?? [],
)

export function verifications(db: Database): Verification[] {
  return MODULES.flatMap(({ verify }) => verify?.(db) ?? [])
}

export function rewraps(db: Database, keyring: Keyring): Rewrap[] {
  return MODULES.flatMap(({ rewraps: ofModule }) => (ofModule ?? []).map((rewrap) => rewrap(db, keyring)))
}
