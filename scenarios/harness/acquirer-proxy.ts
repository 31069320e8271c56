import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startHttpServer } from '#platform/testing/http-server'

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ProxiedReply {
  readonly status: number
  readonly content: string
}

export interface AcquirerProxy {
  readonly url: string
  /** Changes the body of every request. */
  changeRequest: (path: string, body: string) => string
  /** Sees every request. What it returns is the response, and the acquirer gets no request. */
  answer: (request: ProxiedRequest) => ProxiedReply | undefined
  /** Changes what the acquirer has responded, after it has booked the request. */
  changeReply: (request: ProxiedRequest, reply: ProxiedReply) => ProxiedReply
  /** Runs after the acquirer has booked a request and before the service gets the response. */
  beforeResponse: (path: string) => Promise<void> | void
}

/** Of one connection. A body is forwarded with a length of its own. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'keep-alive',
])

/**
 * An HTTP proxy in front of a simulator or a twin, for what happens between its books and the service.
 * @param folder a path under which alone it forwards, such as `/gateway`
 */
export async function startAcquirerProxy(target: string, folder = ''): Promise<AcquirerProxy> {
  const proxy: AcquirerProxy & { url: string } = {
    url: '',
    changeRequest: (_path, body) => body,
    answer: () => undefined,
    changeReply: (_request, reply) => reply,
    beforeResponse: () => {},
  }
  const forward = async (request: IncomingMessage) => {
    const { method = 'GET', url = '/', headers } = request
    if (!url.startsWith(`${folder}/`)) return { status: 404, content: '{}', headers: {} }
    const path = url.slice(folder.length)
    const given = await buffer(request)
    const changed = proxy.changeRequest(path, given.toString())
    const seen = { method, path, headers, body: changed }
    const answered = proxy.answer(seen)
    if (answered !== undefined) return { ...answered, headers: { 'content-type': 'application/json' } }
    const response = await fetch(target + path, {
      method,
      redirect: 'manual',
      headers: forwarded(Object.entries(headers)),
      ...(method !== 'GET' && { body: changed === given.toString() ? given : changed }),
    })
    const reply = proxy.changeReply(seen, { status: response.status, content: await response.text() })
    await proxy.beforeResponse(path)
    return { ...reply, headers: forwarded([...response.headers]) }
  }
  const url = await startHttpServer((request, response) => {
    forward(request).then(
      ({ status, headers, content }) => response.writeHead(status, headers).end(content),
      () => response.destroy(),
    )
  })
  proxy.url = url + folder
  return proxy
}

function forwarded(headers: readonly [string, unknown][]): Record<string, string> {
  return Object.fromEntries(
    headers.filter(
      (header): header is [string, string] => typeof header[1] === 'string' && !OWN_HEADERS.has(header[0]),
    ),
  )
}
