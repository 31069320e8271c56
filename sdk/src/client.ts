import {
  type ApiError,
  apiError,
  ConnectionError,
  type ErrorData,
  QuittanceError,
  TimeoutError,
} from './errors.ts'
import { REQUEST_AMOUNTS, RESPONSE_AMOUNTS } from './generated/amounts.ts'
import type { components, paths } from './generated/api.ts'
import { readJson, writeJson } from './json.ts'
import { retryDelayMs, sleep } from './retries.ts'
import { signatureHeaders, type SigningKey } from './signatures.ts'

export interface ClientOptions {
  /** `qk_test_…` or `qk_live_…`. With null no key is sent, for example when a proxy or a session adds it. */
  readonly apiKey: string | null
  /** The address of the service, such as `https://pay.example.com`. It may have a path. */
  readonly baseUrl: string
  /** Sent as `x-appid`. The service then refuses the key of another app. */
  readonly appId?: string
  /** Sent as `X-P-Customer-Code`: the code of the business. Editing a plan needs it. */
  readonly businessCode?: string
  /** How long one attempt may take. Default: 60,000. */
  readonly timeoutMs?: number
  /** How often a request that is safe to repeat is sent again. Default: 2. */
  readonly maxRetries?: number
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Signs every request. An app that has registered a signing key must sign. */
  readonly signingKey?: SigningKey
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof fetch
}

export interface RequestOptions {
  /** Default: a new UUID for each call, which its retries keep. Give your own to repeat a call after a restart. */
  readonly idempotencyKey?: string
  /** Your own id of the request, which the service writes to its log. */
  readonly requestId?: string
  readonly timeoutMs?: number
  readonly maxRetries?: number
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** The response of the service. It is a hidden property of every object that a method returns. */
export interface LastResponse {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined
  /** The response was sent before, for the same idempotency key. */
  readonly replayed: boolean
}

export type Reply<Value> = Value & { readonly lastResponse: LastResponse }

export type Method = 'get' | 'post' | 'put' | 'delete'
export type Path = keyof paths
type Operation<M extends Method, P extends Path> = NonNullable<paths[P][M]>

export type Body<M extends Method, P extends Path> =
  Operation<M, P> extends { requestBody?: infer Declared }
    ? NonNullable<Declared> extends { content: { 'application/json': infer Json } }
      ? Json
      : never
    : never

export type Query<M extends Method, P extends Path> =
  Operation<M, P> extends { parameters: { query?: infer Declared } } ? NonNullable<Declared> : never

export type Data<M extends Method, P extends Path> =
  Operation<M, P> extends {
    responses: { 200: { content: { 'application/json': { data: infer Declared } } } }
  }
    ? Declared
    : never

type PathParameters<M extends Method, P extends Path> =
  Operation<M, P> extends { parameters: { path: infer Parameters } }
    ? { readonly path: Parameters }
    : { readonly path?: never }

export type Input<M extends Method, P extends Path> = PathParameters<M, P> & {
  readonly query?: Query<M, P> | undefined
  readonly body?: Body<M, P> | undefined
  /** The request changes nothing although it is a POST, and takes no idempotency key. */
  readonly reads?: true
  /** The operation takes no idempotency key. It is not sent again after a failure. */
  readonly keyless?: true
}

interface Prepared {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly maxRetries: number
}

interface Envelope {
  readonly code?: number
  readonly message?: string
  readonly data?: ErrorData & { readonly error?: components['schemas']['ErrorDetail'] }
}

export class Client {
  readonly #options: ClientOptions
  readonly #baseUrl: string

  constructor(options: ClientOptions) {
    if (!URL.canParse(options.baseUrl)) {
      throw new TypeError('baseUrl must be the address of the service, such as "https://pay.example.com"')
    }
    if (options.apiKey !== null && !/^[\x21-\x7e]+$/.test(options.apiKey)) {
      throw new TypeError('apiKey must be a key that begins with "qk_", or null')
    }
    this.#options = options
    this.#baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  }

  /** Calls one operation of the API, with retries, and returns `data` of its response. */
  async send<M extends Method, P extends Path>(
    method: M,
    path: P,
    input: Input<M, P>,
    options: RequestOptions = {},
  ): Promise<Reply<Data<M, P>>> {
    const request = this.#prepare(method, path, input, options)
    return this.#repeat(request, async () => {
      const { response, text } = await this.#exchange(request, 'whole')
      return dataOf(response, text, request.idempotencyKey) as Reply<Data<M, P>>
    })
  }

  /** Gets a file. The body of the response can be streamed. The timeout ends when it begins. */
  async download<P extends Path>(
    path: P,
    input: Input<'get', P>,
    options: RequestOptions = {},
  ): Promise<Response> {
    const request = this.#prepare('get', path, input, options)
    return this.#repeat(request, async () => {
      const { response, text } = await this.#exchange(request, 'begun')
      if (!response.ok) throw failureOf(response, readEnvelope(text))
      return response
    })
  }

  async #repeat<Result>(request: Prepared, attempt: () => Promise<Result>): Promise<Result> {
    for (let retry = 0; ; retry++) {
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof QuittanceError) error.idempotencyKey = request.idempotencyKey
        const delayMs = retry < request.maxRetries ? retryDelayMs(error, retry) : undefined
        if (delayMs === undefined) throw error
        await sleep(delayMs, request.signal)
      }
    }
  }

  #prepare(
    method: Method,
    path: string,
    input: { path?: unknown; query?: unknown; body?: unknown; reads?: true; keyless?: true },
    options: RequestOptions,
  ): Prepared {
    const { apiKey, appId, businessCode } = this.#options
    const isKeyless = input.reads === true || input.keyless === true
    const takesKey = (method === 'post' || method === 'put') && !isKeyless
    const idempotencyKey = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const isSafe = method === 'get' || input.reads === true || idempotencyKey !== undefined
    const body =
      input.body === undefined ? undefined : writeJson(input.body, REQUEST_AMOUNTS[`${method} ${path}`])
    return {
      method: method.toUpperCase(),
      url: new URL(this.#baseUrl + filledPath(path, input.path as Values) + queryText(input.query as Values))
        .href,
      headers: joinHeaders(
        {
          authorization: apiKey === null ? undefined : `Bearer ${apiKey}`,
          'x-appid': appId,
          'x-p-customer-code': businessCode,
          'x-request-id': options.requestId,
          'content-type': body === undefined ? undefined : 'application/json',
        },
        this.#options.headers,
        options.headers,
        { 'idempotency-key': idempotencyKey },
      ),
      body,
      idempotencyKey,
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? 60_000,
      signal: options.signal,
      maxRetries: isSafe ? (options.maxRetries ?? this.#options.maxRetries ?? 2) : 0,
    }
  }

  /** Sends one HTTP request. Within the timeout its response has arrived: whole, or begun if it succeeds. */
  async #exchange({ method, url, headers, body, timeoutMs, signal }: Prepared, until: 'whole' | 'begun') {
    const { fetch: send = globalThis.fetch.bind(globalThis), signingKey } = this.#options
    signal?.throwIfAborted()
    const signed = signingKey && (await signatureHeaders(signingKey, method, url, body))
    const controller = new AbortController()
    const stop = () => controller.abort(signal?.reason)
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    let isStreaming = false
    try {
      const response = await send(url, {
        method,
        headers: { ...headers, ...signed },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: controller.signal,
      })
      isStreaming = until === 'begun' && response.ok
      return { response, text: isStreaming ? '' : await response.text() }
    } catch (cause) {
      signal?.throwIfAborted()
      if (controller.signal.aborted) {
        throw new TimeoutError(`${method} ${url} got no response within ${timeoutMs} ms.`, { cause })
      }
      throw new ConnectionError(`${method} ${url} failed before a response arrived.`, { cause })
    } finally {
      clearTimeout(timer)
      if (!isStreaming) signal?.removeEventListener('abort', stop)
    }
  }
}

function dataOf(response: Response, text: string, idempotencyKey: string | undefined): object {
  const envelope = readEnvelope(text)
  const { ok, status, headers } = response
  if (!ok || envelope?.data === undefined) throw failureOf(response, envelope)
  return withResponse(envelope.data, {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    idempotencyKey,
    replayed: headers.get('idempotent-replayed') === 'true',
  })
}

function failureOf({ status, headers }: Response, envelope: Envelope | undefined): ApiError {
  const { error = {}, ...data } = envelope?.data ?? {}
  const message = envelope?.message ?? `The response with status ${status} is not from the service.`
  const { code } = envelope ?? {}
  return apiError({ status, headers, message, data, error, ...(code !== undefined && { code }) })
}

/** The member of a response that holds its object. */
export async function pick<Value extends object, Name extends keyof Value>(
  reply: Promise<Reply<Value>>,
  name: Name,
): Promise<Reply<NonNullable<Value[Name]>>> {
  const data = await reply
  return withResponse(data[name] as NonNullable<Value[Name]> & object, data.lastResponse)
}

export function withResponse<Value extends object>(value: Value, lastResponse: LastResponse): Reply<Value> {
  return Object.defineProperty(value, 'lastResponse', {
    value: lastResponse,
    enumerable: false,
  }) as Reply<Value>
}

function readEnvelope(text: string): Envelope | undefined {
  try {
    const value = readJson(text, { data: RESPONSE_AMOUNTS })
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Values = Readonly<Record<string, string | number | boolean | undefined>>

function filledPath(path: string, values: Values = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    // A URL drops `.` and `..`, and the request would go to another operation.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be an identifier`)
    return encodeURIComponent(value)
  })
}

/** Later headers replace earlier ones, however they are capitalised. */
function joinHeaders(...sources: (Readonly<Record<string, string | undefined>> | undefined)[]) {
  const headers = new Headers()
  for (const [name, value] of sources.flatMap((source) => Object.entries(source ?? {}))) {
    if (value !== undefined) headers.set(name, value)
  }
  return Object.fromEntries(headers)
}

function queryText(values: Values = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}
