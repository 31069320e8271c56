import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Books } from '../books/books.ts'
import { lockDirectory } from '../books/lock.ts'
import { AppendLog } from '../books/log.ts'
import { handleRequest, type Reply, sendBooks, type Simulation } from './routes.ts'
import { FaultsByTenant } from './faults.ts'

const LOOPBACK = '127.0.0.1'
/** Evidence of disputes is the largest: as large as a request of the API. */
const MAX_BODY_BYTES = 1024 * 1024
/** Longer than the client keeps a connection, so that a request never meets one that is just being closed. */
export const KEEP_ALIVE_MS = 75_000
/** Longer than any caller waits: ACQUIRER_TIMEOUT_MS is at most 14 s. */
export const SILENCE_MS = 60_000
/** The deploy files give the simulator 30 s to stop. */
export const DRAIN_MS = 10_000

export interface SimulatorOptions {
  readonly host?: string
  readonly port: number
  readonly dir: string
  readonly log: Pick<Logger, 'info' | 'error'>
  /** After which a connection is closed whose request gets no response. */
  readonly silenceMs?: number
}

export interface Simulator {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the acquirer simulator, an HTTP server with durable books of its own (reference/sandbox#simulator). Throws if
 * the port is taken, another simulator uses the directory, or the books are damaged.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const unlock = await lockDirectory(options.dir)
  let append: AppendLog | null = null
  try {
    const simulation = await openBooks(options)
    append = simulation.log
    const server = createSimulatorServer(simulation, options)
    const url = await listen(server.http, options.host ?? LOOPBACK, options.port)
    options.log.info({ url, dir: options.dir }, 'simulator is ready')
    return {
      url,
      close: async () => {
        await server.drain()
        await simulation.log.close()
        await unlock()
      },
    }
  } catch (error) {
    await append?.close()
    await unlock()
    throw error
  }
}

async function openBooks(options: SimulatorOptions): Promise<Simulation> {
  const write = (line: string): number => log.append(line)
  const books = new Books(write)
  let position = 0
  const log = await AppendLog.open(options.dir, (line) => books.replay(line, ++position))
  return { books, log, faults: new FaultsByTenant() }
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const { port: taken } = server.address() as AddressInfo
      resolve(`http://${host}:${taken}`)
    })
  })
}

function createSimulatorServer(
  simulation: Simulation,
  { log, silenceMs = SILENCE_MS }: SimulatorOptions,
): { http: Server; drain(): Promise<void> } {
  let draining = false
  const silent = new Set<ServerResponse>()

  const http = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'the simulator failed to respond')
      if (response.headersSent) response.destroy()
      else send(response, failure(500, 'simulator_failed', 'The simulator failed; see its log.'), draining)
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    if (method === 'GET' && url === '/books') return sendBooks(simulation, response)
    const body = await readBody(request)
    if (body === null) return send(response, failure(413, 'too_large', 'The body is too large.'), true)
    const reply = await handleRequest(simulation, {
      method,
      url,
      body,
      origin: `http://${request.headers.host ?? 'localhost'}`,
      tenant: tenantOf(request),
      acceptLanguage: request.headers['accept-language'],
      fromPage: request.headers['content-type'] === 'application/x-www-form-urlencoded',
    })
    if (reply === 'cut') response.destroy()
    else if (reply === 'silence') holdOpen(response)
    else send(response, reply, draining)
  }

  function holdOpen(response: ServerResponse): void {
    if (draining || response.destroyed) return void response.destroy()
    silent.add(response)
    const timer = setTimeout(() => response.destroy(), silenceMs)
    response.once('close', () => {
      clearTimeout(timer)
      silent.delete(response)
    })
  }

  async function drain(): Promise<void> {
    draining = true
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    for (const response of silent) response.destroy()
    const abort = new AbortController()
    const late = sleep(DRAIN_MS, undefined, { signal: abort.signal }).then(
      () => http.closeAllConnections(),
      () => {},
    )
    await closed
    abort.abort()
    await late
  }

  return { http, drain }
}

function tenantOf({ headers }: IncomingMessage): string | null {
  const tenant = headers['x-tenant']
  return typeof tenant === 'string' ? tenant : null
}

function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else resolve(null)
    })
    request.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString())
    })
  })
}

function send(response: ServerResponse, reply: Reply, last: boolean): void {
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, {
    'content-type': reply.type ?? 'application/json; charset=utf-8',
    'content-length': bytes.length,
    ...(reply.location !== undefined && { location: reply.location }),
    ...(last && { connection: 'close' }),
    ...(reply.type !== undefined && {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
      'cache-control': 'no-store',
    }),
  })
  response.end(bytes)
}

function failure(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ error: { code, message } }) }
}
