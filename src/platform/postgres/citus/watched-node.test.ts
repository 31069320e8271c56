import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { startDatabaseProxy } from '#platform/postgres/testing/database-proxy'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { WatchedNode } from './watched-node.ts'

const database = await createTestDatabase({ isPlain: true })

test('work on a node that falls silent fails, new work fails at once, and both go on when it answers', async () => {
  const proxy = await startDatabaseProxy(database.url)
  const node = new WatchedNode(proxy.url, 'db-1:5432')
  onTestFinished(() => node.close())
  const first = new PlainDatabase({ url: proxy.url, hosts: node.hosts, readers: 1 })
  const second = new PlainDatabase({ url: proxy.url, hosts: node.hosts, readers: 1 })
  onTestFinished(() => second.close())
  const { businessId } = await createTestBusiness(database)
  const one = sql`select 1 as one`
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )
  await first.transact(businessId, (tx) => tx.query(one))
  await second.read(businessId, one)
  await first.close()
  await second.transact(businessId, (tx) => tx.query(one))
  proxy.fallSilent()
  const underWay = [second.transact(businessId, (tx) => tx.query(one)), second.read(businessId, one)]
  const failures = await Promise.all(underWay.map(failure))
  expect(failures.map(isUnreachable)).toEqual([true, true])
  const fresh = await failure(second.transact(businessId, (tx) => tx.query(one)))
  expect([String(fresh), isUnreachable(fresh)]).toEqual(['Error: node db-1:5432 does not answer', true])
  proxy.restore()
  await expect.poll(() => failure(second.read(businessId, one))).toBeUndefined()
  await second.transact(businessId, (tx) => tx.query(one))
})
