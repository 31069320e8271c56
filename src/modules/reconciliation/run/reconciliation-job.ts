import sql from 'sql-template-tag'
import { realClock, realNowMs } from '#kernel/clock'
import { LEASE_MS, SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import { whileRenewing } from '#platform/jobs/renewals'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { RECONCILIATIONS } from '../job-names.ts'
import { claimRun, deleteRun, renewalOfRun, type Run, saveRun } from '../storage/run.repository.ts'
import { prepareStep } from './perform-step.ts'

/** After this time the run frees its slot for inquiries about payments, and continues after them. */
const TURN_MS = 2_000

export function reconciliationJob(deps: ReconciliationDependencies): Job {
  return {
    name: RECONCILIATIONS,
    clock: 'real',
    callsAcquirer: true,
    nextRunAt: (tx) => earliestTime(tx, sql`reconciliation_runs`, sql`due_at`),
    run: async (jobRun) => {
      const { businessId, until } = jobRun
      const { db, leaseMs = LEASE_MS } = deps
      const run = await db.transact(businessId, (tx) => claimRun(tx, until, newLease(leaseMs)))
      if (run === undefined) return 0
      const turn = whileRenewing(renewalOfRun(db, businessId, run, leaseMs), () =>
        takeTurn(deps, jobRun, run),
      )
      await turn.catch((error: unknown) => {
        if (!(error instanceof TakenOver)) throw error
      })
      return 1
    },
  }
}

async function takeTurn(
  deps: ReconciliationDependencies,
  { businessId, until, isStopping }: JobRun,
  claimed: Run,
): Promise<void> {
  if (!(await isActive(deps, businessId, claimed.accountId))) {
    await deps.db.transact(businessId, (tx) => deleteRun(tx, claimed))
    return
  }
  const settlement = await deps.acquirers.settlementOf(businessId, claimed.accountId)
  const ctx = { deps, businessId, settlement, now: until }
  const endMs = realNowMs() + TURN_MS
  let run: Run | undefined = claimed
  while (run !== undefined) {
    const held: Run = run
    const write = await prepareStep(ctx, held)
    const isOver = realNowMs() > endMs || isStopping?.() === true
    run = await deps.db.transact(businessId, async (tx) => {
      // Plans made while the tables were empty read all rows: a first run of 10,000 lines took 30 s instead of 3.
      await tx.execute(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`)
      return save(tx, held, await write(tx), isOver)
    })
  }
}

async function isActive(
  { acquirers }: ReconciliationDependencies,
  businessId: string,
  accountId: string,
): Promise<boolean> {
  if (accountId === SIMULATOR_ACCOUNT) return true
  const accounts = await acquirers.accounts(businessId)
  return accounts.some(({ id, state }) => id === accountId && state === 'active')
}

async function save(tx: Tx, held: Run, next: Run, isOver: boolean): Promise<Run | undefined> {
  const isWaiting = next.dueAt !== held.dueAt
  const dueAt = isWaiting ? next.dueAt : isOver ? realClock.now() : null
  if (!(await saveRun(tx, next, dueAt))) throw new TakenOver()
  return dueAt === null ? next : undefined
}

class TakenOver extends Error {}
