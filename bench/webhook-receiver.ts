/**
 * Webhook receivers, each on a port of its own, so that a sender treats each as a different host. Arguments: the port of
 * the control server, the number of receivers, and N when every Nth receiver never responds (0 for none).
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realNowMs } from '#kernel/clock'
import type { ReceiverCounts } from './support/webhook-receivers.ts'

const [controlPort = 0, receivers = 1, deadEvery = 0] = process.argv.slice(2).map(Number)
let accepted = 0
let firstAtMs = 0
let lastAtMs = 0
let sample: ReceiverCounts['sample']
const delaysMs: number[] = []

const accept: RequestListener = (request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (text += chunk))
  request.on('end', () => {
    response.end()
    lastAtMs = realNowMs()
    if (accepted++ === 0) firstAtMs = lastAtMs
    sample ??= { headers: { ...request.headers }, body: text }
    const eventTimestamp = /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? ''
    delaysMs.push(lastAtMs - Temporal.Instant.from(eventTimestamp).epochMilliseconds)
  })
}
const neverRespond: RequestListener = (request) => request.resume()

const ports: number[] = []
const control = createServer((request, response) => {
  if (request.url === '/reset') {
    accepted = 0
    delaysMs.length = 0
  }
  // The sort runs for this path only: the bench polls the counts all the time.
  const sorted = request.url === '/delays' ? delaysMs.toSorted((a, b) => a - b) : []
  const counts: ReceiverCounts = {
    ports,
    accepted,
    firstAtMs,
    lastAtMs,
    medianDelayMs: sorted[Math.floor(sorted.length / 2)] ?? null,
    sample,
  }
  response.statusCode = ports.length < receivers ? 503 : 200
  response.end(JSON.stringify(counts))
})
// The control server comes first, because a receiver could take its port. It is ready once all receivers listen.
await new Promise<void>((resolve) => control.listen(controlPort, '127.0.0.1', resolve))
for (let number = 1; number <= receivers; number++) {
  const isDead = deadEvery > 0 && number % deadEvery === 0
  const server = createServer({ keepAliveTimeout: 30_000 }, isDead ? neverRespond : accept)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ports.push((server.address() as AddressInfo).port)
}
