import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { replaceFile } from '#platform/durable-file'
import type { Movement } from './books.ts'
import { TwinClock } from './clock.ts'
import { ControlError, readObject, readWhole } from './control.ts'
import { Faults } from './faults.ts'
import { createNoticeSender, type NoticeSender, type NoticeSettings } from './notices.ts'

export interface TwinRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The twin's address as the client used it, such as `http://127.0.0.1:12111`. */
  readonly origin: string
}

export interface TwinReply {
  readonly status: number
  /** `content-type` is JSON if it is not given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** The part of a twin that depends on the acquirer. */
export interface Twin {
  readonly books: { readonly movements: readonly Movement[]; flushed(): Promise<void> }
  /** `cut` closes the connection without a response. A response may leave only once its changes are on disk. */
  handle(request: TwinRequest): Promise<TwinReply | 'cut'>
  /** The twin's own control routes, below `/_twin/`. Undefined if the route is unknown. */
  control?(request: TwinRequest): Promise<TwinReply | undefined>
  /** Forgets all idempotency keys, as the acquirer does after its retention. */
  pruneKeys(): Promise<void>
  /** Called after the clock was advanced, to do what has become due. */
  clockAdvanced?(): Promise<void>
  close(): Promise<void>
}

export interface TwinContext {
  readonly directory: string
  readonly clock: TwinClock
  readonly faults: Faults
  readonly notices: NoticeSender
}

export type OpenTwin = (context: TwinContext) => Promise<Twin>

export interface TwinServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

interface SavedSettings {
  readonly clock_offset_seconds: number
  readonly notices: Readonly<Record<string, NoticeSettings>>
}

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_ADVANCE_SECONDS = 10 * 366 * 86_400
/** Longer than any client keeps a connection, so that the client closes first. */
const KEEP_ALIVE_MS = 75_000

/** Serves one twin and its control routes. The settings of notices and clock outlive the process; faults do not. */
export async function startTwinServer(
  openTwin: OpenTwin,
  { port, dir }: { readonly port: number; readonly dir: string },
): Promise<TwinServer> {
  mkdirSync(dir, { recursive: true })
  const settingsPath = join(dir, 'settings.json')
  const saved = existsSync(settingsPath)
    ? (JSON.parse(readFileSync(settingsPath, 'utf8')) as SavedSettings)
    : null
  const clock = new TwinClock(saved?.clock_offset_seconds)
  const faults = new Faults()
  const notices = createNoticeSender()
  notices.restore(saved?.notices ?? {})
  const twin = await openTwin({ directory: dir, clock, faults, notices })
  const save = (): void => {
    const settings: SavedSettings = { clock_offset_seconds: clock.offsetSeconds, notices: notices.settings() }
    replaceFile(settingsPath, JSON.stringify(settings))
  }

  async function control(request: TwinRequest): Promise<TwinReply> {
    const text = request.body.toString()
    switch (`${request.method} ${request.path}`) {
      case 'GET /_twin/books':
        await twin.books.flushed()
        return {
          status: 200,
          headers: { 'content-type': 'application/x-ndjson' },
          body: twin.books.movements.map((movement) => `${JSON.stringify(movement)}\n`).join(''),
        }
      case 'PUT /_twin/faults':
        faults.put(text)
        return jsonReply(200, faults.settings)
      case 'POST /_twin/prune_keys':
        await twin.pruneKeys()
        return jsonReply(200, {})
      case 'PUT /_twin/notices':
        notices.put(text)
        save()
        return jsonReply(200, notices.settings())
      case 'POST /_twin/clock':
        clock.advance(
          readWhole(readObject(text, ['advance_seconds']), 'advance_seconds', MAX_ADVANCE_SECONDS) ?? 0,
        )
        save()
        await twin.clockAdvanced?.()
        return jsonReply(200, { now: clock.iso() })
      default:
        return (await twin.control?.(request)) ?? jsonReply(404, { error: 'Unknown control route' })
    }
  }

  async function answer(request: TwinRequest): Promise<TwinReply | 'cut'> {
    if (!request.path.startsWith('/_twin/')) return twin.handle(request)
    try {
      return await control(request)
    } catch (error) {
      if (error instanceof ControlError) return jsonReply(400, { error: error.message })
      throw error
    }
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true }, (incoming, response) => {
    serve(incoming, response, answer).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  const { port: taken } = server.address() as AddressInfo

  return {
    url: `http://${HOST}:${taken}`,
    port: taken,
    close: async () => {
      notices.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await twin.close()
    },
  }
}

export function jsonReply(
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): TwinReply {
  return { status, body: JSON.stringify(value), ...(headers && { headers }) }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: (request: TwinRequest) => Promise<TwinReply | 'cut'>,
): Promise<void> {
  const body = await readBody(incoming)
  if (body === null) return void response.destroy()
  const origin = `http://${incoming.headers.host ?? HOST}`
  const { pathname, searchParams } = new URL(incoming.url ?? '/', origin)
  const reply = await answer({
    method: incoming.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body,
    origin,
  })
  if (reply === 'cut') return void response.destroy()
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    ...reply.headers,
    'content-length': bytes.length,
  })
  response.end(bytes)
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
