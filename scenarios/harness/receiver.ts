import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll } from 'vitest'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of webhooks on loopback that answers 200 to everything. */
export async function startReceiver(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return { url: `http://127.0.0.1:${address.port}/webhooks`, received }
}
