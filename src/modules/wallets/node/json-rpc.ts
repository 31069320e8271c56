import { unescape } from 'node:querystring'
import { NodeError } from './node-error.ts'

/** Twice `TARGET_ITEMS` of logs are some 15 MB. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024

export interface RpcRequest {
  readonly method: string
  readonly params: readonly unknown[]
}

type Members = Readonly<Record<string, unknown>>

/** A JSON-RPC 2.0 server behind HTTP. The signal covers a request until the end of its response body. */
export class JsonRpc {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(text: string) {
    const url = new URL(text)
    const { username, password } = url
    // `fetch` refuses a URL that holds credentials.
    url.username = ''
    url.password = ''
    this.#url = url.href
    this.#headers = {
      'content-type': 'application/json',
      ...(username !== '' && { authorization: basicAuthorization(username, password) }),
    }
  }

  /** Sends one request and returns its result. @throws `NodeError` */
  async call(request: RpcRequest, signal: AbortSignal): Promise<unknown> {
    return resultOf(await this.#post(envelope(request, 0), signal))
  }

  /** Sends all requests as one batch and returns their results in the same order. @throws `NodeError` */
  async callBatch(requests: readonly RpcRequest[], signal: AbortSignal): Promise<unknown[]> {
    const responses = await this.#post(requests.map(envelope), signal)
    if (!Array.isArray(responses)) {
      resultOf(responses)
      throw notJsonRpc('refused')
    }
    const byId = new Map(
      (responses as unknown[]).map((response) => [String(membersOf(response)?.['id']), response]),
    )
    return requests.map((_request, id) => resultOf(byId.get(String(id))))
  }

  async #post(body: unknown, signal: AbortSignal): Promise<unknown> {
    let response: Response
    let text: string
    try {
      response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(body),
        // The node does not choose which other addresses of the network are called.
        redirect: 'manual',
        signal,
      })
      text = await textOf(response)
    } catch (error) {
      if (error instanceof NodeError) throw error
      // The message of the error may quote the URL.
      throw signal.aborted
        ? new NodeError('refused', 'no response in time')
        : new NodeError('failed', 'no response')
    }
    const value = parseJson(text)
    if (!response.ok && !isRpcError(value)) {
      const kind = response.status === 413 || response.status === 400 ? 'refused' : 'failed'
      throw new NodeError(kind, `HTTP status ${response.status}`)
    }
    if (value === undefined) throw notJsonRpc('failed')
    return value
  }
}

function envelope(request: RpcRequest, id: number) {
  return { jsonrpc: '2.0', id, ...request }
}

function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > MAX_RESPONSE_BYTES) throw new NodeError('refused', 'the response is too long')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function resultOf(response: unknown): unknown {
  const members = membersOf(response)
  if (members === undefined) throw notJsonRpc('refused')
  const { error, result } = members
  if (error !== undefined && error !== null)
    throw new NodeError('refused', `JSON-RPC error ${String(membersOf(error)?.['code'])}`)
  return result
}

function isRpcError(response: unknown): boolean {
  const error = membersOf(membersOf(response)?.['error'])
  return typeof error?.['code'] === 'number' && typeof error['message'] === 'string'
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null ? (value as Members) : undefined
}

function notJsonRpc(kind: 'refused' | 'failed'): NodeError {
  return new NodeError(kind, 'the response is not JSON-RPC')
}
