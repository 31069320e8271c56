import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { routeThat, SAMPLE_ROUTES, startTestServer } from '#platform/testing/test-server'

const DOES = '/api/v1/openapi/does'

test('close answers what is under way, refuses new connections, and is not ready meanwhile', async () => {
  const work = Promise.withResolvers<object>()
  const started = Promise.withResolvers<undefined>()
  const server = await startTestServer({
    routes: [
      ...SAMPLE_ROUTES,
      routeThat(async () => {
        started.resolve(undefined)
        return work.promise
      }),
    ],
    timeouts: { settleMs: 300 },
  })
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  const onKeptConnection = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      request(server.url + path, { agent: kept }, (response) => {
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
      })
        .on('error', reject)
        .end()
    })
  expect(await onKeptConnection('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })

  const underWay = server.send('POST', DOES)
  await started.promise
  const closed = server.app.close()
  // An open connection is still answered while it settles, and told that it is the last time.
  expect(await onKeptConnection('/readyz')).toEqual({ status: 503, connection: 'close' })
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  work.resolve({ done: true })
  expect((await underWay).body.data).toEqual({ done: true })
  await closed
})

test('close waits for a request that takes longer than the framework’s own ten seconds', async () => {
  const started = Promise.withResolvers<undefined>()
  const server = await startTestServer({
    routes: [
      routeThat(async () => {
        started.resolve(undefined)
        await sleep(10_500)
        return { done: true }
      }),
    ],
  })
  const underWay = server.send('POST', DOES)
  await started.promise
  await server.app.close()
  expect((await underWay).body.data).toEqual({ done: true })
}, 20_000)

test('close is bounded: a request that does not end is cut', async () => {
  const started = Promise.withResolvers<undefined>()
  const never = Promise.withResolvers<object>()
  const server = await startTestServer({
    routes: [
      routeThat(async () => {
        started.resolve(undefined)
        return never.promise
      }),
    ],
    timeouts: { drainMs: 100 },
  })
  const cut = server.send('POST', DOES).then(
    () => 'answered',
    () => 'cut',
  )
  await started.promise
  await server.app.close()
  expect(await cut).toBe('cut')
})
