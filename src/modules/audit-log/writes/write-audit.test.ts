import Type from 'typebox'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Actor } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { defineRoute } from '#platform/http/routes/route'
import { readPage } from '#platform/http/validation/list'
import { strictObject } from '#platform/http/validation/schemas'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { createLog } from '#platform/observability/log'
import { adminOf, createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'
import { renderEntriesPage } from '../api/render.ts'
import { verifyAuditLog } from '../audit/verify.ts'
import { auditEntriesOfPage } from '../entries/read-entries.ts'
import { unfinishedActions } from '../storage/entry.repository.ts'
import { writeAudit } from './write-audit.ts'

const database = await createTestDatabase()
const { db, admin } = database
const deps = {
  db,
  businesses: { profile: async () => ({ timeZone: 'UTC' as const }) },
  log: createLog({ level: 'silent' }),
}

const PATH = '/svc/test/api/v1/openapi'
const USER = { type: 'user', id: 'usr_1' } as const
const KEY = { type: 'api_key', id: 'key_1' } as const

interface Server {
  readonly send: Awaited<ReturnType<typeof startTestServer>>['send']
  readonly list: (filter?: string) => Promise<Record<string, unknown>[]>
  readonly rows: () => Promise<{ state: string; document: string }[]>
  readonly businessId: string
}

/** A server with an order whose note is changed by PUT and that is voided by POST. */
async function startAuditedServer(
  actor: Actor,
  during: (id: string) => Promise<void> = async () => {},
): Promise<Server> {
  const { businessId, caller } = await createTestBusiness(database)
  let note = 'old'
  const about = { summary: 'x', tag: 'x', data: Type.Object({}) }
  const params = strictObject({ id: Type.String() })
  const order = (id: string) => ({ order: { number: id, note, total: 1.5 } })
  const routes = [
    defineRoute({
      ...about,
      method: 'GET',
      path: `${PATH}/orders/:id`,
      scope: 'payments:read',
      params,
      handle: async ({ params: { id } }) => order(id),
    }),
    defineRoute({
      ...about,
      method: 'PUT',
      path: `${PATH}/orders/:id`,
      scope: 'payments:write',
      params,
      body: strictObject({ note: Type.String() }),
      handle: async ({ params: { id }, body }) => {
        await during(id)
        note = body.note
        return order(id)
      },
    }),
    defineRoute({
      ...about,
      method: 'POST',
      path: `${PATH}/orders/:id/void`,
      scope: 'payments:write',
      params,
      handle: async ({ params: { id } }) => {
        if (id === 'paid') throw platformErrors.idempotency_key_in_use()
        if (id === 'lost') throw new Error('the connection broke')
        if (id === 'replay') throw new StoredReply(200, '{}')
        return order(id)
      },
    }),
    defineRoute({
      ...about,
      method: 'POST',
      path: `${PATH}/orders`,
      scope: 'payments:write',
      body: strictObject({ cvc: Type.Optional(Type.String()) }),
      handle: async () => order('ord_new'),
    }),
    defineRoute({
      ...about,
      method: 'POST',
      path: `${PATH}/orders/check`,
      scope: 'payments:read',
      handle: async () => order('ord_1'),
    }),
    defineRoute({
      ...about,
      method: 'PUT',
      path: `${PATH}/routing`,
      scope: 'admin:write',
      handle: async () => ({ routing: { rules: [] } }),
    }),
  ]
  const server = await startTestServer({
    routes,
    audit: writeAudit(deps),
    authenticate: async () => ({
      ...TEST_PRINCIPAL,
      businessId,
      actor,
      scopes: new Set(['payments:write', 'admin:write']),
    }),
  })
  return {
    send: (...args) => server.send(...args),
    businessId,
    list: async (filter) => {
      const request = readPage('audit_entries', {})
      const entries = await auditEntriesOfPage(deps, caller, filter, request)
      return renderEntriesPage(request, entries).audit_entries
    },
    rows: async () => {
      const { rows } = await admin.query<{ state: string; document: string }>(
        'select state, document::text as document from audit_entries where business_id = $1 order by sequence',
        [businessId],
      )
      return rows
    },
  }
}

// Proves reference/logs#audit-entries.
test('a write of a user is recorded before it happens and after it, with the object before and after', async () => {
  let seen: { state: string }[] = []
  const server: Server = await startAuditedServer(USER, async () => {
    seen = await server.rows()
  })
  const reply = await server.send('PUT', `${PATH}/orders/ord_1`, {
    body: '{"note":"new"}',
    headers: { 'x-request-id': 'req-1', 'user-agent': 'browser' },
  })
  expect(reply.status).toBe(200)
  expect(seen.map(({ state }) => state)).toEqual(['started'])
  expect((await server.rows()).map(({ state }) => state)).toEqual(['started', 'completed'])
  const [entry] = await server.list()
  expect(entry).toMatchObject({
    sequence: 2,
    state: 'completed',
    actor: USER,
    action: 'orders.update',
    object: { type: 'orders', id: 'ord_1' },
    ip_address: '127.0.0.1',
    user_agent: 'browser',
    request_id: 'req-1',
    status: null,
    reason: null,
    request: { note: 'new' },
    before: { order: { number: 'ord_1', note: 'old' } },
    after: { order: { number: 'ord_1', note: 'new' } },
  })
  // The digits of an amount are kept.
  expect((await server.rows())[1]?.document).toContain('"total":1.5')
  expect(await Array.fromAsync(verifyAuditLog(db)(server.businessId))).toEqual([])
})

test('an action names its parent object, and its refusals and failures are recorded with their reasons', async () => {
  const server = await startAuditedServer(USER)
  for (const id of ['ord_1', 'paid', 'lost', 'replay']) await server.send('POST', `${PATH}/orders/${id}/void`)
  const entries = (await server.list()).toReversed()
  expect(
    entries.map(({ action, state, status, reason, object }) => [action, state, status, reason, object]),
  ).toEqual([
    ['orders.void', 'completed', null, null, { type: 'orders', id: 'ord_1' }],
    ['orders.void', 'refused', 409, 'idempotency_key_in_use', { type: 'orders', id: 'paid' }],
    ['orders.void', 'failed', 500, 'internal_error', { type: 'orders', id: 'lost' }],
    ['orders.void', 'completed', 200, 'replayed', { type: 'orders', id: 'replay' }],
  ])
  expect(entries[0]).toMatchObject({ before: { order: { number: 'ord_1' } } })
  for (const [filter, found] of [
    ['object_id = paid', 1],
    ['state = refused', 1],
    ['actor_id = usr_1 actor_type = user', 4],
    ['action = "orders.*"', 4],
    ['actor_id = usr_2', 0],
  ] as const) {
    expect([filter, await server.list(filter)]).toEqual([filter, expect.objectContaining({ length: found })])
  }
})

test('what a user creates is named by the reply, and no secret of the request is kept', async () => {
  const server = await startAuditedServer(USER)
  await server.send('POST', `${PATH}/orders`, { body: '{"cvc":"987"}' })
  expect(await server.list()).toMatchObject([
    { action: 'orders.create', object: { id: 'ord_new' }, before: null, request: { cvc: '[redacted]' } },
  ])
})

test('an API key’s configuration is recorded, its payments and all reads are not', async () => {
  const ofKey = await startAuditedServer(KEY)
  await ofKey.send('POST', `${PATH}/orders/ord_1/void`)
  await ofKey.send('POST', `${PATH}/orders/check`)
  await ofKey.send('GET', `${PATH}/orders/ord_1`)
  expect(await ofKey.list()).toEqual([])
  await ofKey.send('PUT', `${PATH}/routing`)
  expect(await ofKey.list()).toMatchObject([
    { action: 'routing.update', actor: KEY, object: { type: 'routing', id: null } },
  ])
  const ofUser = await startAuditedServer(USER)
  await ofUser.send('POST', `${PATH}/orders/check`)
  await ofUser.send('PUT', `${PATH}/orders/ord_1`, { body: '{"note":1}' })
  expect(await ofUser.list()).toEqual([])
})

test('a write that cannot be recorded is refused and does not happen', async () => {
  let happened = false
  const server = await startAuditedServer(USER, async () => {
    happened = true
  })
  const node = await adminOf(database, server.businessId)
  await node.query('revoke execute on function quittance_append_audit_entry from quittance_service')
  const reply = await server.send('PUT', `${PATH}/orders/ord_1`, { body: '{"note":"new"}' })
  await node.query('grant execute on function quittance_append_audit_entry to quittance_service')
  expect([reply.status, happened]).toEqual([500, false])
})

test('a write whose process dies stays as started, in the list and in what verify counts', async () => {
  const died = Promise.withResolvers<void>()
  const server = await startAuditedServer(USER, () => died.promise)
  const sent = server.send('PUT', `${PATH}/orders/ord_1`, { body: '{"note":"new"}' })
  await expect.poll(() => server.list()).toMatchObject([{ state: 'started', action: 'orders.update' }])
  const count = () =>
    db.transact(server.businessId, (tx) => unfinishedActions(tx, realClock.now().add({ minutes: 1 })))
  expect(await count()).toBe(1)
  died.resolve()
  await sent
  expect(await count()).toBe(0)
  expect(await server.list()).toMatchObject([{ state: 'completed' }])
})
