import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { reasonOf } from '#platform/testing/requests'
import { END_RUN_LEASES } from '../storage/run.repository.ts'
import { createFixture } from '../testing/fixture.ts'
import { verifyReconciliations } from '../audit/verify.ts'

const fixture = await createFixture({ lines: 2_000, every: 100 })
const { admin, planted, server, all, list, entries } = fixture

const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id).toSorted()

const booked = async () => {
  const tenant = await fixture.tenant()
  await planted.insertTransactions(admin, tenant.businessId)
  server.requests.length = 0
  return tenant
}

async function expectAllFound({ businessId, caller }: Awaited<ReturnType<typeof booked>>): Promise<void> {
  for (const kind of ['missing_here', 'missing_there', 'different_amount', 'fee'] as const) {
    expect([kind, ids(await all(caller, kind))]).toEqual([kind, planted.idsOf(kind)])
  }
  expect(await all(caller, 'matched')).toHaveLength(planted.idsOf('matched').length)
  const breaches = await Array.fromAsync(verifyReconciliations(fixture.db)(businessId))
  const rules = new Set(breaches.map(({ rule }) => rule))
  expect(
    [...rules].filter((rule) => rule !== 'acquirer_books_match' && rule !== 'due_work_has_a_head'),
  ).toEqual([])
}

// Proves reference/reconciliation#results, reference/reconciliation#payouts-and-days.
test('all planted differences among 2,000 lines are found, and nothing else', async () => {
  const tenant = await booked()
  await fixture.run(tenant)
  await expectAllFound(tenant)
  const shown = await list(tenant.caller)
  const payouts = shown.filter(({ payout }) => payout !== null)
  expect(payouts.map(({ payout }) => payout)).toMatchObject(
    ['po_3', 'po_2', 'po_1', 'po_0'].map((id) => ({ id, state: 'paid', lines: 'complete' })),
  )
  // 400 lines each, of which four are not in the acquirer's books; four fees, which have no transaction here.
  expect(payouts[0]).toMatchObject({
    matched: 384,
    missing_here: 4,
    missing_there: 0,
    different_amount: 4,
    date: null,
    fees: [{ currency: 'HKD', amount: 990 }],
  })
  const days = shown.filter(({ date }) => date !== null)
  expect(days.reduce((sum, day) => sum + day.missing_there, 0)).toBe(20)
  expect(days.reduce((sum, day) => sum + day.missing_here, 0)).toBe(4)
})

test('the totals of a payout add up to its lines, and the net is what it paid', async () => {
  const tenant = await booked()
  await fixture.run(tenant)
  const [newest] = await list(tenant.caller)
  for (const shown of await list(tenant.caller)) {
    const lines = await entries(tenant.caller, shown.id)
    const count = shown.totals.reduce((sum, total) => sum + total.count, 0)
    const gross = shown.totals.reduce((sum, total) => sum + total.gross * 100, 0)
    expect(count).toBe(lines.length)
    expect(Math.round(gross)).toBe(Math.round(lines.reduce((sum, entry) => sum + entry.gross * 100, 0)))
  }
  const payout = (await list(tenant.caller)).find((shown) => shown.payout?.id === 'po_0')
  const net = payout?.totals.reduce((sum, total) => sum + Math.round(total.net * 100), 0)
  expect(net).toBe(Math.round((payout?.payout?.amount ?? 0) * 100))
  expect(newest).toBeDefined()
})

test('a second run stores nothing twice and takes no line from its payout', async () => {
  const tenant = await booked()
  await fixture.run(tenant)
  const first = await list(tenant.caller)
  await fixture.run(tenant)
  expect(await list(tenant.caller)).toEqual(first)
})

test('lines that a payout pays later leave their day', async () => {
  const tenant = await booked()
  // PostgreSQL's now() has microseconds, so a run that is due then is not due yet by the milliseconds of the process.
  await admin.query(
    `update reconciliation_runs set phase = 'entries', started_at = $2, movements_until = $2, due_at = $2
    where business_id = $1`,
    [tenant.businessId, realClock.now().toString()],
  )
  await fixture.workOn(tenant.businessId)
  expect((await list(tenant.caller)).filter(({ payout }) => payout !== null)).toEqual([])
  await expectAllFound(tenant)
  await admin.query('update reconciliation_runs set completed_run = null where business_id = $1', [
    tenant.businessId,
  ])
  await fixture.run(tenant)
  expect((await list(tenant.caller)).filter(({ payout }) => payout !== null)).toHaveLength(4)
  await expectAllFound(tenant)
})

// Proves reference/reconciliation#runs.
test('a run that crashes after any page goes on with the next one', async () => {
  const tenant = await booked()
  await fixture.reconciliations.start(tenant.caller, undefined)
  let crashes = 0
  for (let isDone = false; !isDone; crashes++) {
    // One step a turn; then another process goes on.
    await fixture.workOn(tenant.businessId, { seconds: 1 }, stopAfter(1))
    const { rows } = await admin.query<{ phase: string | null; due_at: Date }>(
      'select phase from reconciliation_runs where business_id = $1',
      [tenant.businessId],
    )
    isDone = rows[0]?.phase === null
  }
  expect(crashes).toBeGreaterThan(12)
  await expectAllFound(tenant)
  const pages = new Map<string, number>()
  for (const path of server.requests) pages.set(path, (pages.get(path) ?? 0) + 1)
  expect(Object.fromEntries(pages)).toEqual({
    '/payouts': 1,
    '/payouts/po_0': 4,
    '/payouts/po_1': 4,
    '/payouts/po_2': 4,
    '/payouts/po_3': 4,
    '/lines': 20,
  })
})

test('a step whose run another process has taken over is not stored', async () => {
  const tenant = await booked()
  await fixture.reconciliations.start(tenant.caller, undefined)
  let taken = 0
  server.faults.beforeReply = async (path) => {
    if (path !== '/payouts/po_1' || taken++ > 0) return
    server.faults.beforeReply = undefined
    await releaseDeadLeases(fixture.url, [END_RUN_LEASES])
    await fixture.workOn(tenant.businessId, { seconds: 1 })
  }
  await fixture.workOn(tenant.businessId)
  expect(taken).toBe(1)
  await expectAllFound(tenant)
})

test('an acquirer that does not answer is asked again, and the problem is shown', async () => {
  const tenant = await booked()
  await fixture.reconciliations.start(tenant.caller, undefined)
  server.faults.status = 503
  await fixture.workOn(tenant.businessId)
  const { reconciliation_runs: runs } = await fixture.reconciliations.start(tenant.caller, undefined)
  expect(runs).toMatchObject([
    { state: 'running', problem: 'it answers 503 at the moment', completed_at: null },
  ])
  server.faults.status = 200
  await fixture.workOn(tenant.businessId, { seconds: 2 })
  await expectAllFound(tenant)
})

test('lines of a payout that the acquirer does not itemize stay with their days', async () => {
  const tenant = await booked()
  await fixture.reconciliations.start(tenant.caller, undefined)
  server.faults.beforeReply = async (path) => {
    server.faults.status = path.startsWith('/payouts/') ? 400 : 200
  }
  await fixture.workOn(tenant.businessId)
  server.faults.beforeReply = undefined
  server.faults.status = 200
  await expectAllFound(tenant)
  const payouts = (await list(tenant.caller)).flatMap(
    ({ payout, matched }) => payout && { ...payout, matched },
  )
  expect(payouts.filter((payout) => payout !== null)).toMatchObject(
    Array.from({ length: 4 }, () => ({ lines: 'unavailable', matched: 0 })),
  )
})

test('a run is started for active accounts only', async () => {
  const { caller } = await fixture.tenant()
  expect(await reasonOf(fixture.reconciliations.start(caller, 'acc_none'))).toBe('account_not_found')
})

/** Says after so many questions that the process is stopping. */
function stopAfter(steps: number): () => boolean {
  let asked = 0
  return () => ++asked > steps
}
