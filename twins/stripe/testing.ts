import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import type { TwinProcess } from '../common/twin-process.ts'

/** The official SDK as a client of the twin, without retries. */
export function connectSdk(twin: Pick<TwinProcess, 'port'>, key = 'sk_test_shop'): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port: twin.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: 10_000,
  })
}

/** Expects the call to fail, and returns the SDK's error. */
export async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const result = await call.then(
    () => 'no error',
    (error: unknown) => error,
  )
  if (result instanceof Stripe.errors.StripeError) return result
  throw new Error(`Expected an error of the SDK, got ${String(result)}`)
}

interface ReceivedNotice {
  readonly body: string
  readonly signature: string
}

/** An endpoint for webhooks. `respond` chooses the status of each response. */
export async function listenForNotices(respond: () => number = () => 200) {
  const received: ReceivedNotice[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = respond()
      if (status === 200) {
        received.push({
          body: Buffer.concat(chunks).toString(),
          signature: String(request.headers['stripe-signature']),
        })
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => void server.close() }
}
