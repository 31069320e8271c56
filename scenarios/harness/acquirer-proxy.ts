import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from '#platform/testing/http-server'

export interface AcquirerProxy {
  readonly url: string
  /** Changes the body of every request. */
  changeRequest: (path: string, body: string) => string
  /** Runs after the acquirer has booked a request and before the service gets the response. */
  beforeResponse: (path: string) => Promise<void> | void
}

/** An HTTP proxy in front of a simulator, for what happens between its books and the service. */
export async function startAcquirerProxy(simulatorUrl: string): Promise<AcquirerProxy> {
  const proxy = { url: '', changeRequest: (_path: string, body: string) => body, beforeResponse: () => {} }
  const forward = async (request: IncomingMessage) => {
    const { method = 'GET', url: path = '/' } = request
    const body = proxy.changeRequest(path, await text(request))
    const response = await fetch(new URL(path, simulatorUrl), {
      method,
      redirect: 'manual',
      headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(method !== 'GET' && { body }),
    })
    const content = await response.text()
    await (proxy as AcquirerProxy).beforeResponse(path)
    const headers = Object.fromEntries(
      ['content-type', 'location'].flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    return { status: response.status, headers, content }
  }
  proxy.url = await startHttpServer((request, response) => {
    forward(request).then(
      ({ status, headers, content }) => response.writeHead(status, headers).end(content),
      () => response.destroy(),
    )
  })
  return proxy
}
