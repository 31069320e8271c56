import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { once } from '#platform/idempotency/idempotency'
import type { ReconciliationDependencies } from '../dependencies.ts'
import type { Result } from '../matching/entry.ts'
import { entriesPage } from '../storage/entry.repository.ts'
import {
  findReconciliation,
  listReconciliations,
  type Reconciliation,
} from '../storage/reconciliation.repository.ts'
import { expediteRuns } from '../storage/run.repository.ts'
import { totalsOf } from '../storage/totals.repository.ts'
import { csvReport } from './csv-report.ts'
import { errors } from './errors.ts'
import { renderEntry, renderReconciliation, renderRun } from './render.ts'

export async function reconciliationsPage(
  { db }: ReconciliationDependencies,
  { businessId }: Caller,
  accountId: string | undefined,
  request: PageRequest,
): Promise<object> {
  const read = await db.transact(
    businessId,
    async (tx) => {
      const found = await listReconciliations(tx, accountId, request)
      return {
        found,
        totals: await totalsOf(
          tx,
          found.map(({ id }) => id),
        ),
      }
    },
    { isSnapshot: true },
  )
  const { rows, page } = renderPage(
    request,
    read.found,
    ({ createdAt: at, id }) => ({ at, id }),
    (reconciliation) => renderReconciliation(reconciliation, read.totals.get(reconciliation.id) ?? []),
  )
  return { reconciliations: rows, page }
}

export async function reconciliationById(
  { db }: ReconciliationDependencies,
  { businessId }: Caller,
  id: string,
): Promise<{ reconciliation: object }> {
  return db.transact(
    businessId,
    async (tx) => {
      const [found, totals] = await Promise.all([findReconciliation(tx, id), totalsOf(tx, [id])])
      return { reconciliation: renderReconciliation(required(found), totals.get(id) ?? []) }
    },
    { isSnapshot: true },
  )
}

export async function entriesOf(
  { db }: ReconciliationDependencies,
  { businessId }: Caller,
  id: string,
  result: Result | undefined,
  request: PageRequest,
): Promise<object> {
  const entries = await db.transact(
    businessId,
    async (tx) => {
      required(await findReconciliation(tx, id))
      return entriesPage(tx, id, result, request)
    },
    { isSnapshot: true },
  )
  const { rows, page } = renderPage(
    request,
    entries,
    (entry) => ({ at: entry.createdAt, id: entry.id }),
    renderEntry,
  )
  return { entries: rows, page }
}

export async function csvReportOf(
  { db }: ReconciliationDependencies,
  { businessId }: Caller,
  id: string,
): Promise<StreamedFile> {
  required(await db.transact(businessId, (tx) => findReconciliation(tx, id)))
  return new StreamedFile(`reconciliation-${id}.csv`, csvReport(db, businessId, id))
}

function required(reconciliation: Reconciliation | undefined): Reconciliation {
  if (reconciliation === undefined) throw errors.reconciliation_not_found()
  return reconciliation
}

export async function startRuns(
  { db, acquirers }: ReconciliationDependencies,
  caller: Caller,
  accountId: string | undefined,
): Promise<object> {
  const accounts = await acquirers.accounts(caller.businessId)
  const active = accounts.filter(({ state }) => state === 'active').map(({ id }) => id)
  if (accountId !== undefined && !active.includes(accountId)) {
    throw errors.account_not_found({ param: 'acquirer_account_id' })
  }
  const chosen = accountId === undefined ? active : [accountId]
  if (chosen.length === 0) throw errors.nothing_to_reconcile()
  return once(db, caller, async (tx) => {
    const runs = await expediteRuns(tx, chosen, realClock.now())
    return { reconciliation_runs: runs.map(renderRun) }
  })
}
