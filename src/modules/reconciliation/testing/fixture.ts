import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { BalanceEntry } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestBusiness } from '#platform/testing/database'
import { rendered } from '#platform/testing/requests'
import { createFixture as createDisputesFixture, disputesOf } from '../../disputes/testing/fixture.ts'
import { renderEntriesPage, renderReconciliationsPage, renderRuns } from '../api/render.ts'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { entriesOfPage, reconciliationsOfPage } from '../read-reconciliations.ts'
import { reconciliationJob } from '../run/reconciliation-job.ts'
import { onAccountCreated, startRuns } from '../run/start-runs.ts'
import { ACCOUNT, PlantedBooks } from './planted-books.ts'
import { accountsWith, startSettlementServer } from './settlement-server.ts'

export interface ShownReconciliation {
  id: string
  acquirer_account_id: string
  payout: { id: string; amount: number; currency: string; state: string; lines: string } | null
  date: string | null
  matched: number
  missing_here: number
  missing_there: number
  different_amount: number
  fees: { currency: string; amount: number }[]
  totals: {
    type: string
    result: string
    currency: string
    count: number
    gross: number
    fee: number
    net: number
  }[]
}

export interface ShownEntry {
  id: string
  result: string
  type: string
  acquirer_reference: string | null
  gross: number
  fee: number
  order_number: string | null
  transaction: { uuid: string } | null
  dispute: { id: string } | null
  expected: { currency: string; amount: number } | null
}

const BEFORE_DAYS = 5

export async function createFixture(
  size: { lines: number; every: number },
  limits: Pick<ReconciliationDependencies, 'leaseMs'> = {},
) {
  const disputesFixture = await createDisputesFixture()
  const { db, admin, payments } = disputesFixture
  const from = realClock.now().subtract({ hours: 24 * BEFORE_DAYS })
  const stepMs = Math.floor((24 * (BEFORE_DAYS - 1) * 3_600_000) / Math.max(size.lines, 1))
  const planted = new PlantedBooks({ ...size, from, stepMs })
  const server = await startSettlementServer(planted)
  cleanUp(() => server.stop())
  const businesses = { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) }
  const disputes = disputesOf({
    db,
    events: new EventLog(),
    acquirers: {
      accounts: async () => [{ id: ACCOUNT, state: 'active' }],
      disputesOf: async () => disputesFixture.acquirer.disputes,
    },
    payments,
    businesses,
  })
  const deps: ReconciliationDependencies = {
    db,
    acquirers: accountsWith(server),
    businesses,
    payments,
    disputes,
    ...limits,
  }
  const start = (caller: Caller, accountId: string | undefined) => startRuns(deps, caller, accountId)
  const reconciliations = { onAccountCreated, start: rendered(start, renderRuns) }
  const job = reconciliationJob(deps)

  const tenant = async () => {
    const { businessId, caller } = await createTestBusiness(disputesFixture)
    await db.transact(businessId, (tx) => reconciliations.onAccountCreated(tx, ACCOUNT))
    await admin.query('update reconciliation_runs set connected_at = $1 where business_id = $2', [
      from.subtract({ hours: 1 }).toString(),
      businessId,
    ])
    return { businessId, caller }
  }

  const work = async (
    businessId: string,
    after: Temporal.DurationLike = { seconds: 0 },
    isStopping = () => false,
  ): Promise<void> => {
    for (let handled = 1; handled > 0 && !isStopping();) {
      const until = realClock.now().add(after)
      handled = await job.run({ businessId, until, timeOf: () => until, isStopping })
    }
  }

  const list = async (caller: Caller): Promise<ShownReconciliation[]> => {
    const request = { list: 'reconciliations', offset: 0, limit: 100, after: undefined }
    const found = await reconciliationsOfPage(deps, caller, undefined, request)
    const data = renderReconciliationsPage(request, found)
    return (JSON.parse(JSON.stringify(data)) as { reconciliations: ShownReconciliation[] }).reconciliations
  }

  const entries = async (
    caller: Caller,
    id: string,
    result?: 'matched' | 'missing_here' | 'missing_there' | 'different_amount' | 'fee' | 'other',
  ): Promise<ShownEntry[]> => {
    const request = { list: 'reconciliation_entries', offset: 0, limit: 10_000, after: undefined }
    const data = renderEntriesPage(request, await entriesOfPage(deps, caller, id, result, request))
    return (JSON.parse(JSON.stringify(data)) as { entries: ShownEntry[] }).entries
  }

  return {
    ...disputesFixture,
    planted,
    server,
    disputes,
    deps,
    reconciliations,
    tenant,
    list,
    entries,
    workOn: work,
    run: async ({ businessId, caller }: { businessId: string; caller: Caller }) => {
      await reconciliations.start(caller, undefined)
      await work(businessId)
    },
    all: async (caller: Caller, result?: Parameters<typeof entries>[2]) =>
      (await Promise.all((await list(caller)).map(({ id }) => entries(caller, id, result)))).flat(),
  }
}

export function line(changes: Partial<BalanceEntry>): BalanceEntry {
  const gross = changes.grossMinor ?? 10_000n
  const fee = changes.feeMinor ?? 0n
  return {
    id: newId('line'),
    type: 'payment',
    acquirerType: 'charge',
    reference: null,
    currency: 'HKD',
    grossMinor: gross,
    feeMinor: fee,
    netMinor: gross - fee,
    paid: null,
    createdAt: realClock.now(),
    availableAt: null,
    ...changes,
  }
}
