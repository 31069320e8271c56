import { customerErasure } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { deleteHold, type LegalHold, putHold } from '../storage/hold.repository.ts'

type Dependencies = Pick<PersonalDataDependencies, 'db'>

export function placeHold(
  { db }: Dependencies,
  caller: Caller,
  uuid: string,
  reason: string,
): Promise<LegalHold> {
  return once(db, caller, async (tx) => {
    const { erasedAt } = await customerErasure.lock(tx, uuid)
    if (erasedAt !== null) throw errors.hold_too_late()
    return putHold(tx, uuid, reason, caller.actor.id)
  })
}

export function liftHold({ db }: Dependencies, caller: Caller, uuid: string): Promise<LegalHold> {
  return once(db, caller, async (tx) => {
    await customerErasure.lock(tx, uuid)
    const hold = await deleteHold(tx, uuid)
    if (hold === undefined) throw errors.legal_hold_not_found()
    return hold
  })
}
