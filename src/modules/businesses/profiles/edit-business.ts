import Type, { type Static } from 'typebox'
import { isCurrency } from '#kernel/currencies'
import { parseTimeZone } from '#kernel/time-zone'
import { CurrencyCode, strictObject, Text, TextLine } from '#platform/http/validation/schemas'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Database, Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { BusinessProfile } from '../model/business.ts'
import { lockBusiness, renameBusiness, setBusinessDefaults } from '../storage/repository.ts'
import { untilProfilesChange } from './profiles.ts'

/** Whether something of the environment is kept by the days of its time zone. */
export type DayReader = (tx: Tx) => Promise<boolean>

export const BusinessEdit = strictObject({
  name: Type.Optional(TextLine({ min: 1, max: 255, description: 'Of both environments.' })),
  time_zone: Type.Optional(
    Text({
      max: 64,
      description: 'IANA, such as Asia/Hong_Kong. Only before the first payment of the environment.',
    }),
  ),
  currency: Type.Optional(CurrencyCode({ description: 'The currency in which reports open.' })),
})

/** Resolves once every process uses the new values. */
export async function editBusiness(
  db: Database,
  dayReaders: readonly DayReader[],
  caller: Caller,
  edit: Static<typeof BusinessEdit>,
): Promise<BusinessProfile> {
  const edited = await once(db, caller, async (tx) => {
    const stored = await lockBusiness(tx)
    const name = edit.name === undefined ? stored.name : edit.name.trim()
    if (name === '') throw errors.business_name_missing({ param: 'business.name' })
    const timeZone = edit.time_zone === undefined ? stored.timeZone : parseTimeZone(edit.time_zone)
    if (timeZone === undefined) throw errors.time_zone_unknown({ param: 'business.time_zone' })
    if (timeZone !== stored.timeZone) {
      for (const isUsed of dayReaders) {
        if (await isUsed(tx)) throw errors.time_zone_in_use({ param: 'business.time_zone' })
      }
    }
    const currency =
      edit.currency !== undefined && isCurrency(edit.currency) ? edit.currency : stored.currency
    const changed = { ...stored, name, timeZone, currency }
    if (name !== stored.name) await renameBusiness(tx, changed)
    if (timeZone !== stored.timeZone || currency !== stored.currency) await setBusinessDefaults(tx, changed)
    return changed
  })
  await untilProfilesChange()
  return edited
}
