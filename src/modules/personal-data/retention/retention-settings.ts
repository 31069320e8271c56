import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { findRetention, putRetention } from '../storage/retention.repository.ts'

type Dependencies = Pick<PersonalDataDependencies, 'db'>

export interface RetentionSettings {
  readonly customerDays: number | null
}

export function getRetention({ db }: Dependencies, { businessId }: Caller): Promise<RetentionSettings> {
  return db.transact(businessId, findRetention)
}

export function setRetention(
  { db }: Dependencies,
  caller: Caller,
  customerDays: number | null,
): Promise<RetentionSettings> {
  return once(db, caller, async (tx) => {
    await putRetention(tx, customerDays)
    return { customerDays }
  })
}
