import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { defineRoute } from '#platform/http/routes/route'
import { readPage } from '#platform/http/validation/list'
import { strictObject } from '#platform/http/validation/schemas'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { createLog } from '#platform/observability/log'
import { adminOf, createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { reasonOf, rendered } from '#platform/testing/requests'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'
import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { parseFilter } from '#platform/filter/filter'
import type { Tx } from '#platform/postgres/database'
import { HOUR_MS } from '#kernel/time-units'
import { PeriodicTasks } from '#platform/jobs/periodic-tasks'
import { keepPartitions } from '#platform/postgres/partitions/partitions'
import { renderRequestData, renderRequestsPage } from '../api/render.ts'
import { requestLogModule } from '../module.ts'
import { requestById, requestsOfPage } from '../requests/read-requests.ts'
import { findBeginning, findEntry, listEntries } from '../storage/entry.repository.ts'
import { lookUpOf } from '../storage/keys.ts'

const database = await createTestDatabase()
const { db, admin } = database
const businesses = { profile: async () => ({ timeZone: 'UTC' as const }) }

function createRequestLog(options: { days?: number; db?: typeof db } = {}) {
  const registry = new Registry()
  const log = createLog({ level: 'silent' })
  const deps = { db, businesses, registry, log, days: 30, ...options }
  const requestLog = {
    ...requestLogModule.connect(deps),
    page: async (caller: Caller, filter?: string) => {
      const request = readPage('requests', {})
      return renderRequestsPage(request, await requestsOfPage(deps, caller, filter, request))
    },
    byRequestId: rendered((caller: Caller, id: string) => requestById(deps, caller, id), renderRequestData),
  }
  const dropped = async () =>
    Number((await registry.getSingleMetric('request_log_dropped_total')?.get())?.values[0]?.value)
  return { requestLog, dropped }
}

const ORDER = 'ord_01kanq3x5kf0vsd2pjtwyt7cyr'
const PATH = '/svc/test/api/v1/openapi'
const slowRequests = new EventEmitter()
const Anything = strictObject({ value: Type.Optional(Type.Any()) })

const routes = [
  defineRoute({
    method: 'POST',
    path: `${PATH}/orders/:id`,
    scope: 'payments:write',
    summary: 'x',
    tag: 'x',
    params: strictObject({ id: Type.String() }),
    body: Anything,
    data: Type.Object({}),
    handle: async ({ params: { id } }) => {
      if (id === 'replay') throw new StoredReply(200, '{"data":{"kept":true}}')
      if (id === 'missing') throw platformErrors.route_not_found()
      return { order: { number: ORDER, total: 1.5, payment_link: 'https://x/pay/a.b.c.d.e' } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/orders`,
    scope: 'payments:write',
    summary: 'x',
    tag: 'x',
    query: strictObject({ filter: Type.Optional(Type.String()) }),
    data: Type.Object({}),
    handle: async () => ({ orders: [{ number: ORDER }], page: { offset: 0 } }),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/slow`,
    scope: 'payments:write',
    summary: 'x',
    tag: 'x',
    data: Type.Object({}),
    handle: async () => {
      slowRequests.emit('arrived')
      await once(slowRequests, 'response')
      return {}
    },
  }),
]

async function startLoggedServer(options: Parameters<typeof createRequestLog>[0] = {}) {
  const { requestLog, dropped } = createRequestLog(options)
  const { businessId, caller } = await createTestBusiness(database)
  const server = await startTestServer({
    routes,
    recorder: requestLog.recorder,
    plainRoutes: (pages) => void pages.get('/page', async () => 'page'),
    authenticate: async ({ headers }) => {
      if (headers.authorization !== 'Bearer good') throw platformErrors.unauthenticated()
      return { ...TEST_PRINCIPAL, businessId }
    },
  })
  const list = async (filter?: string): Promise<Record<string, unknown>[]> => {
    await requestLog.recorder?.flush()
    return (await requestLog.page(caller, filter)).requests
  }
  return { server, requestLog, dropped, list, caller, businessId }
}

// Proves reference/logs#requests.
test('a request is kept with its reply and found by its id, its idempotency key and the objects that it names', async () => {
  const { server, list, requestLog, caller } = await startLoggedServer()
  const headers = { 'x-request-id': 'mine-1', 'idempotency-key': 'idem-1', 'user-agent': 'shop/1.0' }
  await server.send('POST', `${PATH}/orders/a?`, { body: '{ "value": 1.50 }', headers })
  await server.send('POST', `${PATH}/orders/missing`, { body: '{}' })
  const all = await list()
  expect(all.map(({ status }) => status)).toEqual([404, 200])
  expect(all[1]).toEqual({
    request_id: 'mine-1',
    method: 'POST',
    path: `${PATH}/orders/a`,
    query: '',
    route: `${PATH}/orders/:id`,
    status: 200,
    reason: null,
    duration_ms: expect.any(Number),
    actor: { type: 'api_key', id: 'key_1' },
    app_id: 'app_1',
    ip_address: '127.0.0.1',
    user_agent: 'shop/1.0',
    idempotency_key: 'idem-1',
    idempotent_replayed: false,
    object_ids: [ORDER],
    created_at: expect.stringMatching(/Z$/),
  })
  for (const filter of [
    'request_id = "mine-1"',
    'idempotency_key = "idem-1"',
    `object_id = ${ORDER}`,
    `object_id:${ORDER}`,
    `-(object_id != ${ORDER})`,
    'object_id:*',
    `request_id = "mine-1" object_id = ${ORDER} status = 200`,
    `request_id = "mine-1" OR object_id = "${ORDER}"`,
    'idempotency_key:*',
    'status < 400',
    'reason != route_not_found',
    'actor_id = key_1 path : "orders/a"',
  ]) {
    expect([filter, (await list(filter)).map(({ request_id: id }) => id)]).toEqual([filter, ['mine-1']])
  }
  expect(await list('status >= 400 reason = route_not_found')).toHaveLength(1)
  expect(await list('request_id = "other"')).toEqual([])
  expect(await reasonOf(requestLog.page(caller, 'object_id = "ord_*"'))).toBe('invalid_filter')
  expect(await requestLog.byRequestId(caller, 'mine-1')).toMatchObject({
    request: { request_body: '{ "value": 1.50 }', response_body: expect.stringContaining('"total":1.5') },
  })
  expect(await reasonOf(requestLog.byRequestId(caller, 'other'))).toBe('request_not_found')
})

test('a request without an id of its own is found by the one that it got, by its beginning and among requests that repeat it', async () => {
  const { server, list, requestLog, caller, businessId } = await startLoggedServer()
  const send = (headers: Record<string, string> = {}) =>
    server.send('POST', `${PATH}/orders/missing`, { body: '{}', headers })
  await send()
  const [first] = await list()
  const id = String(first?.['request_id'])
  const keys = await admin.query(`select from request_log_keys where business_id = $1`, [businessId])
  expect(keys.rowCount).toBe(0)
  const find = (text: string) =>
    db.transact(businessId, (tx) =>
      requestLog.search.search(tx, { text, amountKey: undefined, lastFour: undefined, limit: 20 }),
    )
  for (const text of ['re', 'req_', id.slice(0, 9), id.slice(0, 25), id]) {
    expect([text, (await find(text)).map((hit) => hit.id)]).toEqual([text, [id]])
  }
  expect(await requestLog.byRequestId(caller, id)).toMatchObject({ request: { status: 404 } })
  await admin.query(`update request_log set created_at = date_trunc('day', now()) where business_id = $1`, [
    businessId,
  ])
  expect(await list(`request_id = ${id}`)).toEqual([])
  await send({ 'x-request-id': id })
  await send({ 'x-request-id': id.replace('req_0', 'req_1') })
  expect(await list(`request_id = ${id.replace('req_0', 'req_1')}`)).toHaveLength(1)
  expect(await list(`status = 404 request_id = ${id}`)).toHaveLength(1)
})

test('the newest of several requests with the same id is shown, and all are listed', async () => {
  const { server, list, requestLog, caller } = await startLoggedServer()
  for (const id of ['missing', 'a']) {
    await server.send('POST', `${PATH}/orders/${id}`, { body: '{}', headers: { 'x-request-id': 'same' } })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(await list('request_id = same')).toHaveLength(2)
  expect(await requestLog.byRequestId(caller, 'same')).toMatchObject({ request: { status: 200 } })
})

test('a replay is marked, a list links no object, and a request of nobody, a page and an unknown path are not kept', async () => {
  const { server, list } = await startLoggedServer()
  await server.send('POST', `${PATH}/orders/replay`, { body: '{}' })
  await server.send('GET', `${PATH}/orders?filter=a%20%3D%204242424242424242`)
  await server.send('GET', '/page')
  await server.send('GET', '/no-such-path')
  await server.send('GET', `${PATH}/orders`, { headers: { authorization: 'Bearer bad' } })
  const kept = await list()
  expect(
    kept.map((request) => [request['idempotent_replayed'], request['object_ids'], request['query']]),
  ).toEqual([
    [false, [], '[redacted]'],
    [true, [], ''],
  ])
})

test('secrets are not kept, what is not JSON is not kept, and a long body is cut with a note', async () => {
  const { server, requestLog, caller } = await startLoggedServer()
  const bodyOf = async (body: string, contentType = 'application/json'): Promise<string | null> => {
    const id = newId('req')
    await server.send('POST', `${PATH}/orders/a`, {
      body,
      headers: { 'x-request-id': id, 'content-type': contentType },
    })
    await requestLog.recorder?.flush()
    return (await requestLog.byRequestId(caller, id)).request.request_body
  }
  expect(await bodyOf('{"value":{"cvc":"123","number":"4242424242424242"}}')).toBe(
    '{"value":{"cvc":"[redacted]","number":"424242******4242"}}',
  )
  expect(await bodyOf("{'cvc': '123'}")).toBe('[not JSON: 14 bytes]')
  expect(await bodyOf('number=4242424242424242&cvc=123', 'application/x-www-form-urlencoded')).toBe(
    '[not JSON: 31 bytes]',
  )
  expect(await bodyOf('['.repeat(10_000))).toBe('[not JSON: 10000 bytes]')
  expect(await bodyOf('['.repeat(100_000))).toBe('[not read: 100000 bytes]')
  expect(await bodyOf(`{"other":"${'x'.repeat(20_000)}"}`)).toMatch(
    /^\{"other":"x+ \[cut: 20012 bytes in all\]$/,
  )
  const long = await bodyOf(`{"value":"${'x'.repeat(16_360)}4242424242424242${'y'.repeat(5_000)}"}`)
  expect(long).toMatch(/x \[cut: 21388 bytes in all\]$/)
  const { request } = await requestLog.byRequestId(caller, await lastId())
  expect(request.response_body).toContain('"payment_link":"[redacted]"')
  async function lastId(): Promise<string> {
    const { rows } = await admin.query<{ request_id: string }>(
      'select request_id from request_log where business_id = $1 order by created_at desc limit 1',
      [caller.businessId],
    )
    return rows[0]?.request_id ?? ''
  }
})

// Proves reference/search#what-is-found.
test('a search finds a request by its id or the beginning of it, the exact one first', async () => {
  const { server, requestLog, businessId } = await startLoggedServer()
  const ids = ['find-1', 'find-12', 'find-13', 'find-13', 'other-1']
  for (const id of ids)
    await server.send('POST', `${PATH}/orders/missing`, { body: '{}', headers: { 'x-request-id': id } })
  await requestLog.recorder?.flush()
  const find = async (text: string, tenant = businessId, limit = 20) =>
    db.transact(tenant, (tx) =>
      requestLog.search.search(tx, { text, amountKey: undefined, lastFour: undefined, limit }),
    )
  const [exact, ...others] = await find('find-1')
  expect(exact).toMatchObject({
    type: 'request',
    id: 'find-1',
    title: `POST ${PATH}/orders/missing`,
    subtitle: 'route_not_found',
    state: '404',
    match: 'exact',
  })
  expect(others.map(({ id, match }) => [id, match])).toEqual([
    ['find-13', 'prefix'],
    ['find-12', 'prefix'],
  ])
  expect((await find('find-1', businessId, 1)).map(({ id }) => id)).toEqual(['find-1'])
  expect(await find('nd-1')).toEqual([])
  const stranger = await createTestBusiness(database)
  expect(await find('find-1', stranger.businessId)).toEqual([])
})

test('a tenant sees no request of another', async () => {
  const one = await startLoggedServer()
  const other = await startLoggedServer()
  await one.server.send('POST', `${PATH}/orders/a`, { body: '{}', headers: { 'x-request-id': 'of-one' } })
  expect(await one.list()).toHaveLength(1)
  expect(await other.list()).toEqual([])
  expect(await other.list(`object_id = ${ORDER}`)).toEqual([])
  expect(await reasonOf(other.requestLog.byRequestId(other.caller, 'of-one'))).toBe('request_not_found')
})

// Proves reference/logs#requests.
test('clients that disconnect before their replies take no entry with them, and their own have addresses', async () => {
  const { server, list, dropped } = await startLoggedServer()
  const { port } = new URL(server.url)
  for (let index = 0; index < 5; index++) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${PATH}/slow HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\n\r\n`)
    await once(slowRequests, 'arrived')
    socket.resetAndDestroy()
  }
  await sleep(50)
  slowRequests.emit('response')
  const orders = Array.from({ length: 15 }, () => server.send('POST', `${PATH}/orders/a`, { body: '{}' }))
  await Promise.all(orders)
  expect(await list('method = GET ip_address = "127.0.0.1"')).toHaveLength(5)
  expect(await list('method = POST ip_address = "127.0.0.1"')).toHaveLength(15)
  expect(await dropped()).toBe(0)
})

test('an entry that the database refuses is dropped alone', async () => {
  const { requestLog, dropped, list, businessId } = await startLoggedServer()
  for (const url of ['/one', '/two', '/\0', '/three']) {
    requestLog.recorder?.record({
      request: { id: url, method: 'GET', headers: {}, body: undefined, ip: '::1', raw: { url } } as never,
      route: '/',
      principal: { ...TEST_PRINCIPAL, businessId },
      status: 200,
      reason: undefined,
      durationMs: 1,
      isWrite: false,
      isReplayed: false,
      responseBody: '{}',
    })
  }
  expect(new Set((await list()).map(({ path }) => path))).toEqual(new Set(['/one', '/two', '/three']))
  expect(await dropped()).toBe(1)
})

// Proves reference/logs#cost.
test('a batch of bodies that are slow to redact does not hold up other requests', async () => {
  const { requestLog, list, businessId, dropped } = await startLoggedServer()
  const body = Buffer.from(`{"value":"${'1 '.repeat(10_000)}"}`)
  for (let index = 0; index < 100; index++) {
    requestLog.recorder?.record({
      request: {
        id: `slow-${index}`,
        method: 'POST',
        headers: {},
        body,
        ip: '::1',
        raw: { url: '/' },
      } as never,
      route: '/',
      principal: { ...TEST_PRINCIPAL, businessId },
      status: 200,
      reason: undefined,
      durationMs: 1,
      isWrite: true,
      isReplayed: false,
      responseBody: undefined,
    })
  }
  let turns = 0
  const progress = { isWritten: false }
  const written = list().then((entries) => {
    progress.isWritten = true
    return entries
  })
  let longestMs = 0
  while (!progress.isWritten) {
    const before = process.threadCpuUsage()
    await nextTurn()
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    turns++
  }
  expect(await written).not.toEqual([])
  expect(await dropped()).toBe(0)
  expect(turns).toBeGreaterThan(10)
  expect(longestMs).toBeLessThan(150)
})

// Proves reference/logs#cost.
test('while the database does not respond, requests are served at once, and what does not fit is counted', async () => {
  const { promise: responds, resolve: respond } = Promise.withResolvers<undefined>()
  const slow = Object.create(db) as typeof db
  slow.transact = async (...args: Parameters<typeof db.transact>) => {
    await responds
    return db.transact(...args) as never
  }
  const { server, requestLog, dropped, list } = await startLoggedServer({ db: slow })
  const { businessId: busy } = await createTestBusiness(database)
  const { recorder } = requestLog
  const first = await server.send('POST', `${PATH}/orders/a`, { body: '{}' })
  expect(first.status).toBe(200)
  const request = {
    id: 'r',
    method: 'POST',
    headers: {},
    body: Buffer.alloc(0),
    ip: '::1',
    raw: { url: '/' },
  }
  for (let index = 0; index < 10_000; index++) {
    recorder?.record({
      request: request as never,
      route: '/',
      principal: { ...TEST_PRINCIPAL, businessId: busy },
      status: 200,
      reason: undefined,
      durationMs: 1,
      isWrite: true,
      isReplayed: false,
      responseBody: '{}',
    })
  }
  expect(await dropped()).toBeGreaterThan(1_000)
  expect((await server.send('POST', `${PATH}/orders/a`, { body: '{}' })).status).toBe(200)
  respond(undefined)
  expect(await list()).toHaveLength(2)
})

test('a batch that cannot be written is counted as dropped, and the next one is written', async () => {
  const failing = Object.create(db) as typeof db
  let isDown = true
  failing.transact = (...args: Parameters<typeof db.transact>) =>
    isDown ? Promise.reject(new Error('down')) : (db.transact(...args) as never)
  const { server, dropped, list, requestLog } = await startLoggedServer({ db: failing })
  await server.send('POST', `${PATH}/orders/a`, { body: '{}' })
  await requestLog.recorder?.flush()
  expect(await dropped()).toBe(1)
  isDown = false
  await server.send('POST', `${PATH}/orders/a`, { body: '{}' })
  expect(await list()).toHaveLength(1)
})

test('closing writes what is still buffered', async () => {
  const { server, requestLog, businessId } = await startLoggedServer()
  await server.send('POST', `${PATH}/orders/a`, { body: '{}' })
  await requestLog.close()
  const { rowCount } = await admin.query('select from request_log where business_id = $1', [businessId])
  expect(rowCount).toBe(1)
})

test('an entry whose partition is missing makes the partition', async () => {
  const { server, list } = await startLoggedServer()
  const today = realClock.now().toString().slice(0, 10).replaceAll('-', '')
  await admin.query(`drop table request_log_${today}, request_log_keys_${today}`)
  await server.send('POST', `${PATH}/orders/a`, { body: '{}' })
  expect(await list()).toHaveLength(1)
})

async function partitions(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('upkeep makes the partitions of the coming days, drops old ones whole, and can run twice at once', async () => {
  const nameOf = (days: number) =>
    `request_log_${realClock
      .now()
      .add({ hours: 24 * days })
      .toString()
      .slice(0, 10)
      .replaceAll('-', '')}`
  const old = realClock
    .now()
    .subtract({ hours: 24 * 40 })
    .toString()
    .slice(0, 10)
  const kept = realClock
    .now()
    .subtract({ hours: 24 * 30 })
    .toString()
    .slice(0, 10)
  for (const day of [old, kept])
    await admin.query(
      `select quittance_make_partitions('request_log', array[replace($1, '-', '')], array[$1], array[($1::date + 1)::text])`,
      [day],
    )
  const [one, two] = [upkeepOf(createRequestLog().requestLog), upkeepOf(createRequestLog().requestLog)]
  for (const upkeep of [one, two]) upkeep.start()
  onTestFinished(async () => void (await Promise.all([one.stop(), two.stop()])))
  await Promise.all([one.stop(), two.stop()])
  expect(await partitions()).toEqual([nameOf(-30), nameOf(-1), nameOf(0), nameOf(1), nameOf(2)])
  const off = createRequestLog({ days: 0 }).requestLog
  expect(off.recorder).toBeUndefined()
  const last = upkeepOf(off)
  last.start()
  await last.stop()
  expect(await partitions()).toEqual([nameOf(-1), nameOf(0), nameOf(1), nameOf(2)])
})

function upkeepOf({ partitionedTables }: ReturnType<typeof requestLogModule.connect>): PeriodicTasks {
  const tasks = partitionedTables.map((table) => ({
    name: table.name,
    run: () => keepPartitions(db.shared, table),
  }))
  return new PeriodicTasks(createLog({ level: 'silent' }), HOUR_MS, tasks)
}

test('look-ups and lists use an index in every partition, however many entries there are', async () => {
  const { businessId } = await createTestBusiness(database)
  await admin.query(
    `insert into request_log (business_id, created_at, id, request_id, method, path, query, route, status, duration_us, actor_type,
                              actor_id, app_id, ip_address, is_replayed, object_ids, keys)
     select $1, date_trunc('second', now()) - n * interval '1 second', 'rql_' || n, 'req_' || n, 'GET', '/', '', '/', 200, 1, 'api_key', 'k', 'a', '::1', false,
            '', array[n]
       from generate_series(1, 20000) n`,
    [businessId],
  )
  await admin.query(
    `insert into request_log_keys (business_id, key, created_at, id)
     select business_id, 'r:' || request_id, created_at, id from request_log where business_id = $1`,
    [businessId],
  )
  const node = await adminOf(database, businessId)
  await node.query(
    `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
     set auto_explain.log_nested_statements = on; set client_min_messages = log`,
  )
  const explained: string[] = []
  node.on('notice', ({ message }) => void explained.push(message ?? ''))
  const tx = {
    businessId,
    query: async ({ text, values }: Sql) => {
      await node.query(`select set_config('quittance.business_id', $1, false)`, [businessId])
      await node.query('set role quittance_service')
      const { rows } = await node.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off) ${text}`,
        values,
      )
      await node.query('reset role')
      explained.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return []
    },
  } as unknown as Tx
  const page = readPage('requests', {})
  await listEntries(tx, sql`true`, page, lookUpOf(parseFilter('status < 400 request_id = req_777')))
  await listEntries(tx, sql`true`, page, lookUpOf(parseFilter('object_id = ord_777')))
  await listEntries(tx, sql`true`, page, undefined)
  await findEntry(tx, 'req_777')
  await findBeginning(tx, 'req_1', 20)
  for (const plan of explained) {
    expect(plan).not.toMatch(/Seq Scan/)
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{3,}/)
    expect(plan).not.toMatch(/rows=\d{3,}(?:\.\d+)? loops/)
  }
  expect(explained.join('\n')).toMatch(/Bitmap Index Scan on request_log_\d+_keys_idx/)
})
