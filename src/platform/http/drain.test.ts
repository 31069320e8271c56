import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { routeThat, SAMPLE_ROUTES, startTestServer } from '#platform/testing/test-server'

const DOES = '/api/v1/openapi/does'

// Proves reference/operations#stopping.
test('close finishes running requests, refuses new connections and reports not ready', async () => {
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
    timeouts: { settleMs: 4_000 },
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
  // A request on an open connection still gets a response while the server closes, with `Connection: close`.
  expect(await onKeptConnection('/readyz')).toEqual({ status: 503, connection: 'close' })
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  work.resolve({ done: true })
  expect((await underWay).body.data).toEqual({ done: true })
  await closed
})

test('close waits for a request that takes longer than fastify’s limit of ten seconds', async () => {
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
})

test('close cuts a request that does not end in time', async () => {
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
