import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { platformErrors } from '#platform/errors'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'
import { createFixture, line, type ShownReconciliation } from '../testing/fixture.ts'
import { reconciliationRoutes } from './routes.ts'

const fixture = await createFixture({ lines: 300, every: 100 })
const PATH = '/svc/payment/api/v1/openapi/reconciliations'

/** A server whose API key `good` is of the tenant, and `other` of another one. */
const serve = async () => {
  const tenant = await fixture.tenant()
  const other = await fixture.tenant()
  await fixture.planted.insertTransactions(fixture.admin, tenant.businessId)
  const server = await startTestServer({
    routes: reconciliationRoutes(fixture.deps),
    authenticate: async ({ headers }) => {
      const businessId = { 'Bearer good': tenant.businessId, 'Bearer other': other.businessId }[
        headers.authorization ?? ''
      ]
      if (headers.authorization === 'Bearer cards') {
        return { ...TEST_PRINCIPAL, businessId: tenant.businessId, scopes: new Set(['cards:write']) }
      }
      if (businessId === undefined) throw platformErrors.unauthenticated()
      return { ...TEST_PRINCIPAL, businessId }
    },
  })
  return { ...tenant, send: server.send.bind(server) }
}

const reconciled = async () => {
  fixture.server.extra.length = 0
  const served = await serve()
  await fixture.run(served)
  const { body } = await served.send('GET', PATH)
  const { reconciliations } = body.data as unknown as { reconciliations: ShownReconciliation[] }
  const payout = reconciliations.find((shown) => shown.payout?.id === 'po_1')
  if (payout === undefined) throw new Error('the payout is missing')
  return { ...served, payout }
}

// Proves reference/reconciliation#reports.
test('the lines of a reconciliation are listed page by page, by their result', async () => {
  const { send, payout } = await reconciled()
  expect((await send('GET', `${PATH}/${payout.id}`)).body.data).toEqual({ reconciliation: payout })
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=7' : `?limit=7&cursor=${cursor}`
    const { body } = await send('GET', `${PATH}/${payout.id}/entries${query}`)
    const data = body.data as unknown as { entries: { id: string }[]; page: { next_cursor: string | null } }
    ids.push(...data.entries.map(({ id }) => id))
    cursor = data.page.next_cursor
  }
  const { first, last } = fixture.planted.linesOf('po_1')
  const lines = Array.from({ length: last - first + 1 }, (_, i) => fixture.planted.line(last - i))
  expect(ids).toEqual(lines.flatMap((found) => found?.id ?? []))
  const different = await send('GET', `${PATH}/${payout.id}/entries?result=different_amount`)
  expect(different.body.data).toMatchObject({
    entries: [
      {
        result: 'different_amount',
        type: 'payment',
        acquirer_type: 'charge',
        currency: 'HKD',
        gross: 101.08,
        fee: 2.5,
        net: 98.58,
        expected: { currency: 'HKD', amount: 101.07 },
        paid: null,
      },
    ],
  })
  const wrong = await send('GET', `${PATH}/${payout.id}/entries?result=lost`)
  expect(wrong).toMatchObject({ status: 400, body: { data: { error: { param: 'result' } } } })
})

test('a report is CSV with one line for each entry, oldest first', async () => {
  const { send, payout } = await reconciled()
  const { status, headers, text } = await send('GET', `${PATH}/${payout.id}/report.csv`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe(`attachment; filename="reconciliation-${payout.id}.csv"`)
  const rows = text.split('\r\n')
  expect(rows.pop()).toBe('')
  const [header, ...lines] = rows.map((row) => row.split(','))
  expect(header?.slice(0, 9)).toEqual([
    'id',
    'result',
    'type',
    'acquirer_type',
    'acquirer_reference',
    'currency',
    'gross',
    'fee',
    'net',
  ])
  expect(lines).toHaveLength(payout.totals.reduce((sum, { count }) => sum + count, 0))
  expect(lines.map(([id]) => id)).toEqual(
    lines.map(([id]) => id).toSorted((a = '', b = '') => (a < b ? -1 : 1)),
  )
  const [first] = lines
  expect(first?.slice(1, 9)).toEqual([
    'matched',
    'payment',
    'charge',
    'ch_60',
    'HKD',
    '100.60',
    '2.50',
    '98.10',
  ])
})

test('a field with a comma or quotes is quoted', async () => {
  const served = await reconciled()
  fixture.server.extra.push(line({ id: 'odd', acquirerType: 'a "new", kind' }))
  await fixture.run(served)
  const today = realClock.now().toString().slice(0, 10)
  const day = (await fixture.list(served.caller)).find(({ date }) => date === today)
  const { text } = await served.send('GET', `${PATH}/${day?.id}/report.csv`)
  expect(text).toContain('odd,missing_here,payment,"a ""new"", kind",,HKD,100.00,0.00,100.00,')
})

test('a report needs an API key with the scope, and one of another business does not exist', async () => {
  const { send, payout } = await reconciled()
  for (const path of [
    `${PATH}/${payout.id}`,
    `${PATH}/${payout.id}/entries`,
    `${PATH}/${payout.id}/report.csv`,
  ]) {
    const as = (key: string) => send('GET', path, { headers: { authorization: `Bearer ${key}` } })
    expect(await as('other')).toMatchObject({
      status: 404,
      body: { data: { error: { reason: 'reconciliation_not_found' } } },
    })
    expect((await as('cards')).status).toBe(403)
    expect((await as('nobody')).status).toBe(401)
  }
})

test('a run is started once for an Idempotency-Key, and returns where each account stands', async () => {
  const { send, businessId } = await serve()
  const start = (body: object, key = 'run-1') =>
    send('POST', `${PATH}/run`, { body: JSON.stringify(body), headers: { 'idempotency-key': key } })
  const started = await start({})
  expect(started).toMatchObject({
    status: 200,
    body: {
      data: {
        reconciliation_runs: [
          { acquirer_account_id: 'acc_planted', state: 'waiting', completed_at: null, problem: null },
        ],
      },
    },
  })
  const replayed = await start({})
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.text).toBe(started.text)
  await fixture.workOn(businessId)
  expect((await start({ acquirer_account_id: 'acc_planted' }, 'run-2')).body.data).toMatchObject({
    reconciliation_runs: [{ completed_at: expect.any(String) as string }],
  })
  expect(await start({ acquirer_account_id: 'acc_none' }, 'run-3')).toMatchObject({
    status: 404,
    body: { data: { error: { param: 'acquirer_account_id' } } },
  })
  expect((await start({ acquirer_account_id: 5 }, 'run-4')).status).toBe(400)
  expect((await start({ account: 'acc_planted' }, 'run-5')).status).toBe(400)
})
