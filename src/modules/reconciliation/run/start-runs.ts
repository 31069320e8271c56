import { realClock } from '#kernel/clock'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once, refuseUsedKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { expediteRuns, insertRun, type Run } from '../storage/run.repository.ts'

export async function startRuns(
  deps: Pick<ReconciliationDependencies, 'db' | 'acquirers' | 'payments'>,
  caller: Caller,
  accountId: string | undefined,
): Promise<Run[]> {
  const { db, acquirers } = deps
  if (accountId === SIMULATOR_ACCOUNT && caller.environment === 'test') {
    await settleAtSimulator(deps, caller)
    return once(db, caller, (tx) => expediteRuns(tx, [accountId], realClock.now()))
  }
  const accounts = await acquirers.accounts(caller.businessId)
  const active = accounts.filter(({ state }) => state === 'active').map(({ id }) => id)
  if (accountId !== undefined && !active.includes(accountId)) {
    throw errors.account_not_found({ param: 'acquirer_account_id' })
  }
  const chosen = accountId === undefined ? active : [accountId]
  if (chosen.length === 0) throw errors.nothing_to_reconcile()
  return once(db, caller, (tx) => expediteRuns(tx, chosen, realClock.now()))
}

/** The simulator pays out when it is asked to. Its books begin with the first time. */
async function settleAtSimulator(
  { db, acquirers, payments }: Pick<ReconciliationDependencies, 'db' | 'acquirers' | 'payments'>,
  caller: Caller,
): Promise<void> {
  await refuseUsedKey(db, caller)
  const keys = await db.transact(caller.businessId, async (tx) => {
    await onAccountCreated(tx, SIMULATOR_ACCOUNT)
    return payments.newestAtSimulator(tx)
  })
  if (await acquirers.settleAtSimulator(caller.businessId, keys)) return
  throw platformErrors.unavailable({ message: 'The acquirer simulator does not answer.' })
}

export async function onAccountCreated(tx: Tx, accountId: string): Promise<void> {
  const now = realClock.now()
  await insertRun(tx, accountId, now, now.add({ hours: 24 }))
}
