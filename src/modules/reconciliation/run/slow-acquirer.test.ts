import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'

/** Long enough for a busy machine to renew in time. */
const LEASE_MS = 10_000
const fixture = await createFixture({ lines: 500, every: 100 }, { leaseMs: LEASE_MS })
const { admin, planted, server } = fixture

// Proves reference/reconciliation#runs.
test('an acquirer that takes longer than the lease is asked for each page once, although another process looks for work', async () => {
  const { businessId, caller } = await fixture.tenant()
  await planted.insertTransactions(admin, businessId)
  await fixture.reconciliations.start(caller, undefined)
  server.faults.beforeReply = async (path) => {
    if (path === '/payouts/po_1') await sleep(1.5 * LEASE_MS)
  }
  const ended = new AbortController()
  const slow = fixture.workOn(businessId).finally(() => ended.abort())
  while (!ended.signal.aborted) {
    await sleep(LEASE_MS / 8)
    await fixture.workOn(businessId)
  }
  await slow
  await fixture.workOn(businessId)
  const { rows } = await admin.query(
    'select phase, completed_run from reconciliation_runs where business_id = $1',
    [businessId],
  )
  expect(rows).toEqual([{ phase: null, completed_run: expect.anything() as unknown }])
  const asked = Map.groupBy(server.requests, (path) => path)
  expect(Object.fromEntries([...asked].map(([path, times]) => [path, times.length]))).toEqual({
    '/payouts': 1,
    '/payouts/po_0': 1,
    '/payouts/po_1': 1,
    '/payouts/po_2': 1,
    '/payouts/po_3': 1,
    '/lines': 5,
  })
})
