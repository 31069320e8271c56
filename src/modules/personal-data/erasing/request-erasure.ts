import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { customerErasure, customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Database, Tx } from '#platform/postgres/database'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { insertErasure } from '../storage/erasure.repository.ts'
import { findBlockers } from './check-erasure.ts'
import type { Erasure } from '../model/erasure.ts'
import { personalTexts } from './personal-texts.ts'

/** @throws 404 for an unknown customer, 409 for one who was erased or must not be erased now */
export async function requestErasure(
  deps: Pick<PersonalDataDependencies, 'data'>,
  tx: Tx,
  uuid: string,
  cause: Erasure['cause'],
): Promise<Erasure> {
  const customer = await customerErasure.lockToErase(tx, uuid)
  if (customer.erasedAt !== null) throw customerErrors.customer_erased()
  const blockers = await findBlockers(deps, tx, customer)
  if (blockers.length > 0) {
    throw errors.erasure_refused({
      message: `The customer cannot be erased now: ${blockers.map(({ reason, ids }) => `${reason} (${ids.join(', ')})`).join(', ')}.`,
      data: { blockers },
    })
  }
  const erasure: Erasure = {
    id: newId('ers'),
    customerUuid: uuid,
    cause,
    state: 'running',
    referenceNumber: customer.referenceNumber,
    texts: await personalTexts(tx, customer),
    pass: 1,
    step: 0,
    cursor: '',
    counts: {},
    dueAt: null,
    createdAt: tx.now,
    completedAt: null,
  }
  await customerErasure.markErased(tx, uuid, tx.now)
  await insertErasure(tx, erasure, realClock.now())
  return erasure
}

export function eraseCustomer(
  deps: Pick<PersonalDataDependencies, 'db' | 'data'>,
  caller: Caller,
  uuid: string,
): Promise<Erasure> {
  return once(deps.db, caller, (tx) => requestErasure(deps, tx, uuid, 'request'))
}

export async function eraseAgain(
  db: Database,
  data: PersonalDataDependencies['data'],
  { businessId, uuid }: { readonly businessId: string; readonly uuid: string },
): Promise<void> {
  await db.transact(businessId, (tx) => requestErasure({ data }, tx, uuid, 'recovery'))
}
