import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type AcquirerFaults, NO_FAULTS } from './faults.ts'
import { FaultSetter } from './fault-setter.ts'

let server: Server | undefined

afterEach(() => server?.close())

/** @param take receives the faults of each request, in the order of the requests' arrival */
async function acquirer(
  take: (faults: AcquirerFaults, nth: number) => Promise<void> | 'cut',
): Promise<FaultSetter> {
  let requests = 0
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nth = requests++
    const taken = take(JSON.parse(await text(request)) as AcquirerFaults, nth)
    if (taken === 'cut') return void response.destroy()
    await taken
    response.end()
  }
  server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return new FaultSetter((faults) => fetch(url, { method: 'PUT', body: JSON.stringify(faults) }))
}

const SLOW = { ...NO_FAULTS, latency_ms: 4_000 }

test('faults that a lost connection kept from the acquirer are set again', async () => {
  const taken: AcquirerFaults[] = []
  const faults = await acquirer((next, nth) => {
    if (nth === 1) return 'cut'
    taken.push(next)
    return Promise.resolve()
  })
  await faults.started()
  await faults.set(SLOW)
  await faults.set(NO_FAULTS)
  expect(taken).toEqual([SLOW, NO_FAULTS])
})

test('the later of two faults holds though the first request takes longer', async () => {
  let held: AcquirerFaults | undefined
  const faults = await acquirer(async (next, nth) => {
    await sleep(nth === 0 ? 200 : 0)
    held = next
  })
  await faults.started()
  await Promise.all([faults.set(SLOW), faults.set(NO_FAULTS)])
  expect(held).toEqual(NO_FAULTS)
})

test('faults of an acquirer that is down are set when it starts', async () => {
  const taken: AcquirerFaults[] = []
  const faults = await acquirer(async (next) => void taken.push(next))
  await faults.started()
  faults.killed()
  await faults.set(SLOW)
  expect(taken).toEqual([])
  await faults.started()
  expect(taken).toEqual([SLOW])
})
