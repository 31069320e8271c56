import { expect, onTestFinished, test } from 'vitest'
import sql from 'sql-template-tag'
import Type from 'typebox'
import { defineRoute } from '#platform/http/routes/route'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { startTestServer, TEST_PRINCIPAL } from '#platform/testing/test-server'

const database = await createTestDatabase({ isPlain: true })

// Proves reference/access#overload.

test('requests that find no connection in time are refused before they did anything, one that has begun is not, and health checks are served', async () => {
  const { businessId } = await createTestBusiness(database)
  const db = new PlainDatabase({ url: database.url, maxConnections: 1 })
  onTestFinished(() => db.close())
  const begun = Promise.withResolvers<void>()
  let mayEnd = false
  const ran: string[] = []
  const route = (path: string, work: () => Promise<void>) =>
    defineRoute({
      method: 'POST',
      path,
      scope: 'payments:write',
      summary: 'x',
      tag: 'x',
      data: Type.Object({}),
      handle: async () => {
        await work()
        return {}
      },
    })
  const transact = (name: string, isOver = () => true) =>
    db.transact(businessId, async (tx) => {
      await tx.query(sql`select 1`)
      ran.push(name)
      begun.resolve()
      // PostgreSQL ends a transaction that does nothing for five seconds.
      while (!isOver()) await tx.query(sql`select pg_sleep(0.2)`)
    })
  const server = await startTestServer({
    authenticate: async () => ({ ...TEST_PRINCIPAL, businessId }),
    isReady: async () => true,
    routes: [
      route('/payment', async () => {
        await transact('reserved', () => mayEnd)
        await transact('recorded')
      }),
      route('/other', () => transact('other')),
    ],
  })
  const payment = server.send('POST', '/payment')
  await begun.promise
  const refused = await Promise.all([server.send('POST', '/other'), server.send('POST', '/other')])
  for (const { status, body, headers } of refused) {
    expect(status).toBe(503)
    expect(body.data.error.reason).toBe('overloaded')
    expect(headers.get('retry-after')).toBe('2')
  }
  expect((await server.send('GET', '/readyz')).status).toBe(200)
  mayEnd = true
  expect((await payment).status).toBe(200)
  expect(ran).toEqual(['reserved', 'recorded'])
  expect((await server.send('POST', '/other')).status).toBe(200)
})
