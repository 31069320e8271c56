import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { findErasure, listErasures } from '../storage/erasure.repository.ts'
import type { Erasure } from '../model/erasure.ts'

type Dependencies = Pick<PersonalDataDependencies, 'db'>

export function erasuresOfPage(
  { db }: Dependencies,
  { businessId }: Caller,
  request: PageRequest,
): Promise<Erasure[]> {
  return db.transact(businessId, (tx) => listErasures(tx, request), { isSnapshot: true })
}

export function erasureById({ db }: Dependencies, { businessId }: Caller, id: string): Promise<Erasure> {
  return db.transact(businessId, async (tx) => {
    const erasure = await findErasure(tx, id)
    if (erasure === undefined) throw errors.erasure_not_found()
    return erasure
  })
}
