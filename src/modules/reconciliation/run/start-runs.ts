import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { expediteRuns, insertRun, type Run } from '../storage/run.repository.ts'

export async function startRuns(
  { db, acquirers }: Pick<ReconciliationDependencies, 'db' | 'acquirers'>,
  caller: Caller,
  accountId: string | undefined,
): Promise<Run[]> {
  const accounts = await acquirers.accounts(caller.businessId)
  const active = accounts.filter(({ state }) => state === 'active').map(({ id }) => id)
  if (accountId !== undefined && !active.includes(accountId)) {
    throw errors.account_not_found({ param: 'acquirer_account_id' })
  }
  const chosen = accountId === undefined ? active : [accountId]
  if (chosen.length === 0) throw errors.nothing_to_reconcile()
  return once(db, caller, (tx) => expediteRuns(tx, chosen, realClock.now()))
}

export async function onAccountCreated(tx: Tx, accountId: string): Promise<void> {
  const now = realClock.now()
  await insertRun(tx, accountId, now, now.add({ hours: 24 }))
}
