import { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface DrainOptions {
  /** Connections that are still open then are cut. */
  readonly timeoutMs: number
  /** How long a kept connection may use to send what its caller is about to send, before it is closed as idle. */
  readonly settleMs: number
}

const POLL_MS = 25

/**
 * Makes `app.close()` cut no request: nothing new is accepted, what is under way or just arriving on
 * an open connection is answered with `Connection: close` (fastify adds it), idle connections are
 * closed once they have settled, and after `timeoutMs` whatever is left is cut.
 */
export function drainOnClose(app: FastifyInstance, options: DrainOptions): void {
  app.addHook('preClose', async () => {
    const server = app.server
    if (!(server instanceof Server) || !server.listening) return
    const ended = new AbortController()
    // http.Server.close would close idle connections at once, also one on which a request is just arriving.
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
