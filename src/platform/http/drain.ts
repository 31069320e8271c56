import { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface DrainOptions {
  readonly timeoutMs: number
  readonly settleMs: number
}

const POLL_MS = 25

export function drainOnClose(app: FastifyInstance, options: DrainOptions): void {
  app.addHook('preClose', async () => {
    const server = app.server
    if (!(server instanceof Server) || !server.listening) return
    const ended = new AbortController()
    // http.Server.close would close idle connections at once, even while a request arrives on one.
    NetServer.prototype.close.call(server, () => ended.abort())
    const deadline = AbortSignal.timeout(options.timeoutMs)
    await sleep(options.settleMs, undefined, { signal: ended.signal }).catch(() => {})
    while (!ended.signal.aborted && !deadline.aborted) {
      server.closeIdleConnections()
      await sleep(POLL_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
    if (!ended.signal.aborted) server.closeAllConnections()
  })
}
