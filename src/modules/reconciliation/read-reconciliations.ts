import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import type { Entry, Result } from './model/entry.ts'
import { entriesAfter, entriesPage } from './storage/entry.repository.ts'
import {
  findReconciliation,
  listReconciliations,
  type Reconciliation,
} from './storage/reconciliation.repository.ts'
import { type Total, totalsOf } from './storage/totals.repository.ts'

type Context = Pick<ReconciliationDependencies, 'db'>

export interface ReconciliationView {
  readonly reconciliation: Reconciliation
  readonly totals: readonly Total[]
}

export async function reconciliationsOfPage(
  { db }: Context,
  { businessId }: Caller,
  accountId: string | undefined,
  request: PageRequest,
): Promise<ReconciliationView[]> {
  const read = async (tx: Tx): Promise<ReconciliationView[]> => {
    const found = await listReconciliations(tx, accountId, request)
    const ids = found.map(({ id }) => id)
    const totals = await totalsOf(tx, ids)
    return found.map((reconciliation) => ({ reconciliation, totals: totals.get(reconciliation.id) ?? [] }))
  }
  return db.transact(businessId, read, { isSnapshot: true })
}

export async function reconciliationById(
  { db }: Context,
  { businessId }: Caller,
  id: string,
): Promise<ReconciliationView> {
  const read = async (tx: Tx): Promise<ReconciliationView> => {
    const [found, totals] = await Promise.all([findReconciliation(tx, id), totalsOf(tx, [id])])
    return { reconciliation: required(found), totals: totals.get(id) ?? [] }
  }
  return db.transact(businessId, read, { isSnapshot: true })
}

export async function entriesOfPage(
  { db }: Context,
  { businessId }: Caller,
  id: string,
  result: Result | undefined,
  request: PageRequest,
): Promise<Entry[]> {
  const read = async (tx: Tx): Promise<Entry[]> => {
    required(await findReconciliation(tx, id))
    return entriesPage(tx, id, result, request)
  }
  return db.transact(businessId, read, { isSnapshot: true })
}

export interface EntriesReport {
  readonly reconciliationId: string
  readonly pages: AsyncIterable<readonly Entry[]>
}

export async function reportOf({ db }: Context, { businessId }: Caller, id: string): Promise<EntriesReport> {
  required(await db.transact(businessId, (tx) => findReconciliation(tx, id)))
  return { reconciliationId: id, pages: pagesOf(db, businessId, id) }
}

const REPORT_PAGE = 1_000

async function* pagesOf(db: Database, businessId: string, id: string): AsyncGenerator<Entry[]> {
  for (let last: Entry | undefined; ;) {
    const after = last
    const page = await db.transact(businessId, (tx) => entriesAfter(tx, id, after, REPORT_PAGE))
    if (page.length > 0) yield page
    last = page.at(-1)
    if (last === undefined || page.length < REPORT_PAGE) return
  }
}

function required(reconciliation: Reconciliation | undefined): Reconciliation {
  if (reconciliation === undefined) throw errors.reconciliation_not_found()
  return reconciliation
}
