import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { vi } from 'vitest'
import { startHttpServer } from '../../src/platform/testing/http-server.ts'
import { startReceiver } from '../../src/platform/testing/receiver.ts'
import { createBusiness } from '../../scenarios/harness/command-line.ts'
import type { Service } from '../../scenarios/harness/service.ts'
import { Quittance } from '../src/index.ts'

/** What `runtimes/program.js` is given. */
export interface ProgramConfig {
  readonly baseUrl: string
  /** The service behind a proxy that loses its first response to each idempotency key. */
  readonly lossyUrl: string
  /** A server that never responds. */
  readonly silentUrl: string
  readonly apiKey: string
  readonly appId: string
  readonly businessCode: string
  readonly webhook: {
    readonly payload: string
    readonly headers: Record<string, string>
    readonly secret: string
  }
}

/** Prepares a business of its own, since the program registers keys. */
export async function programConfig(service: Service): Promise<ProgramConfig> {
  const sandbox = await createBusiness(service)
  const { base_url: baseUrl } = service.sandbox
  const quittance = new Quittance({ apiKey: sandbox.api_key, baseUrl })
  return {
    baseUrl,
    lossyUrl: await startLossyProxy(baseUrl),
    silentUrl: await startHttpServer(() => {}),
    apiKey: sandbox.api_key,
    appId: sandbox.app_id,
    businessCode: sandbox.customer_code,
    webhook: await receiveWebhook(quittance),
  }
}

async function receiveWebhook(quittance: Quittance): Promise<ProgramConfig['webhook']> {
  const { url, received } = await startReceiver()
  const { secret } = await quittance.webhookEndpoints.create({ url, types: ['order.created'] })
  await quittance.orders.create({
    reference_number: 'for-the-webhook',
    currency: 'HKD',
    initial_total: '90071992547409.93',
  })
  const message = await vi.waitUntil(() => received[0], { timeout: 60_000, interval: 20 })
  return { payload: message.text, headers: message.headers, secret }
}

async function startLossyProxy(target: string): Promise<string> {
  const seen = new Set<string>()
  return startHttpServer((request, response) => {
    void (async () => {
      const { method, url = '/', headers } = request
      const upstream = httpRequest(new URL(url, target), { method, headers }).end(await buffer(request))
      const [answer] = (await once(upstream, 'response')) as [IncomingMessage]
      const content = await buffer(answer)
      const key = headers['idempotency-key']
      const isFirst = typeof key === 'string' && !seen.has(key)
      if (isFirst) seen.add(key)
      if (isFirst) response.destroy()
      else response.writeHead(answer.statusCode ?? 500, answer.headers).end(content)
    })()
  })
}
