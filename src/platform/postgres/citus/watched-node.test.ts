import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { Database } from '#platform/postgres/database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { WatchedNode } from './watched-node.ts'

const database = await createTestDatabase({ isPlain: true })

/** Passes everything on, and nothing while it is frozen: no byte, no end and no refusal, as a machine that has lost its power. */
async function startProxy() {
  const target = new URL(database.url)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const node = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, node],
      [node, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => !isFrozen && to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => isFrozen || to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const proxy = new URL(target)
  proxy.port = String((server.address() as AddressInfo).port)
  return { url: proxy.href, freeze: (isIt: boolean) => void (isFrozen = isIt) }
}

test('work on a node that falls silent fails, new work fails at once, and both go on when it answers', async () => {
  const proxy = await startProxy()
  const node = new WatchedNode(proxy.url, 'db-1:5432')
  onTestFinished(() => node.close())
  const first = new Database({ url: proxy.url, hosts: node.ofShard(), readers: 1 })
  const second = new Database({ url: proxy.url, hosts: node.ofShard(), readers: 1 })
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
  proxy.freeze(true)
  const underWay = [second.transact(businessId, (tx) => tx.query(one)), second.read(businessId, one)]
  const failures = await Promise.all(underWay.map(failure))
  expect(failures.map(isUnreachable)).toEqual([true, true])
  const fresh = await failure(second.transact(businessId, (tx) => tx.query(one)))
  expect([String(fresh), isUnreachable(fresh)]).toEqual(['Error: node db-1:5432 does not answer', true])
  proxy.freeze(false)
  await expect.poll(() => failure(second.read(businessId, one))).toBeUndefined()
  await second.transact(businessId, (tx) => tx.query(one))
})
