import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { cleanUp } from '#platform/testing/clean-up'
import { startHttpServer } from '#platform/testing/http-server'
import { Faults, type FaultSettings } from '../../../../twins/common/faults.ts'

export interface SeenExchange {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
  readonly body: string
  readonly status: number
  readonly answer: string
}

export interface FaultProxy {
  readonly url: string
  readonly seen: readonly SeenExchange[]
  setFaults(faults: Partial<FaultSettings>): void
}

const NOT_PASSED_ON = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])
const FAULT = JSON.stringify({ error: { type: 'api_error', message: 'A fault of the proxy' } })

export async function startFaultProxy(upstream: string): Promise<FaultProxy> {
  const { origin, pathname } = new URL(upstream)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = new Pool(origin)
  cleanUp(() => pool.destroy())
  const faults = new Faults()
  const seen: SeenExchange[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const path = url.split('?', 1)[0] ?? url
    const target = `${method} ${path}`
    const body = await buffer(request)
    if (faults.strikes('rate_limit', target)) return fail(response, 429)
    await sleep(faults.latencyMs(target))
    if (faults.strikes('fail_before', target)) return fail(response, 500)
    const answer = await pool.request({
      method,
      path: prefix + url,
      headers: passedOn(headers),
      body: body.length > 0 ? body : null,
    })
    const text = await answer.body.text()
    seen.push({
      method,
      path,
      idempotencyKey: headers['idempotency-key']?.toString() ?? null,
      body: body.toString(),
      status: answer.statusCode,
      answer: text,
    })
    if (faults.strikes('lose_answer', target)) return void response.destroy()
    if (faults.strikes('fail_after', target)) return fail(response, 500)
    response.writeHead(answer.statusCode, passedOn(answer.headers)).end(text)
  }

  const url = await startHttpServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  return { url, seen, setFaults: (settings) => faults.put(JSON.stringify(settings)) }
}

function fail(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(FAULT)
}

function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name)))
}
