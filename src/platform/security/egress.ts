import { lookup, Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { memoize } from '#kernel/memoize'
import { isLocalName, isPublicAddress, literalAddress } from '#platform/security/public-address'
import { codeOf } from '#platform/thrown'

/**
 * HTTP requests to addresses that callers choose (webhooks, decision hooks), guarded against SSRF: names are resolved here,
 * every address is checked, and the connection goes to exactly the checked addresses, so a changing DNS answer cannot bypass
 * the check. Redirects are not followed, proxies from the environment are ignored, the exchange has one timeout, and the
 * response is read up to a bound (reference/events#receiver-addresses).
 */
export interface EgressOptions {
  readonly allowPrivate: boolean
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>
  readonly isAllowed?: (address: string) => boolean
}

/**
 * - `timeoutMs`: The limit for the whole exchange, connecting included.
 * - `maxResponseBytes`: The rest of a longer response is dropped, and the response still counts.
 */
export interface EgressRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

type EgressFailure =
  | 'address_not_allowed'
  | 'name_not_resolved'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'aborted'

export type EgressResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly text: string
      readonly retryAfter: string | undefined
    }
  | { readonly kind: 'unanswered'; readonly problem: EgressFailure }

export interface EgressExchange {
  readonly result: Promise<EgressResult>
  cancel(): void
}

interface Target {
  readonly origin: string
  readonly path: string
}

export const CONNECT_TIMEOUT_MS = 10_000
/** undici's default. */
const KEEP_ALIVE_MS = 4_000
export const DNS_TIMEOUT_MS = 2_000
export const DNS_TRIES = 2

export class Egress {
  /** undici's `connect` option for the connections of others, with the same check of names and addresses. */
  readonly connect: buildConnector.connector
  readonly #allowPrivate: boolean
  readonly #isAllowed: (address: string) => boolean
  readonly #resolve: (hostname: string) => Promise<LookupAddress[]>
  readonly #agent: Agent
  readonly #targetOf = memoize((url: string) => this.#readTarget(url))

  constructor(options: EgressOptions) {
    this.#allowPrivate = options.allowPrivate
    this.#isAllowed = options.isAllowed ?? (options.allowPrivate ? () => true : isPublicAddress)
    this.#resolve = options.resolve ?? (options.allowPrivate ? systemAddresses : publicNameResolver())
    this.connect = this.#connector()
    this.#agent = new Agent({
      connect: this.connect,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  get allowsPrivate(): boolean {
    return this.#allowPrivate
  }

  /**
   * Returns what is wrong with a URL, phrased to follow the member's name; undefined if it is acceptable. Names are resolved
   * and checked only when the URL is called.
   */
  checkUrl(text: string): string | undefined {
    const target = this.#targetOf(text)
    return 'problem' in target ? target.problem : undefined
  }

  /** Never rejects, follows no redirect and never retries. */
  post(request: EgressRequest): Promise<EgressResult> {
    return this.start(request).result
  }

  start(request: EgressRequest): EgressExchange {
    const target = this.#targetOf(request.url)
    if ('problem' in target) return REFUSED
    return new Exchange(this.#agent, target, request)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  #readTarget(text: string): Target | { readonly problem: string } {
    const url = URL.parse(text)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
      return { problem: 'must be an http or https URL' }
    }
    if (!this.#allowPrivate && this.#isPrivate(url.hostname)) {
      return { problem: 'must not lead to a private, loopback or link-local address' }
    }
    return { origin: url.origin, path: url.pathname + url.search }
  }

  #isPrivate(hostname: string): boolean {
    const address = literalAddress(hostname)
    return isLocalName(hostname) || (address !== undefined && !this.#isAllowed(address))
  }

  #connector(): buildConnector.connector {
    const guarded: LookupFunction = (hostname, { all }, callback) => {
      void this.#lookUp(hostname, all === true, callback)
    }
    const connect = buildConnector({ lookup: guarded, timeout: CONNECT_TIMEOUT_MS, allowH2: false })
    return (options, callback) => {
      // undici does not call `lookup` for IP literals.
      if (this.#allowPrivate || !this.#isPrivate(options.hostname)) connect(options, callback)
      else callback(new AddressNotAllowed(options.hostname), null)
    }
  }

  async #lookUp(hostname: string, all: boolean, answer: Parameters<LookupFunction>[2]): Promise<void> {
    const found = await this.#checkedAddresses(hostname).catch((error: unknown) => error)
    const [first] = Array.isArray(found) ? (found as LookupAddress[]) : []
    if (first === undefined) answer(found instanceof Error ? found : new NameNotResolved(hostname), [])
    else if (all) answer(null, found as LookupAddress[])
    else answer(null, first.address, first.family)
  }

  /** Rejects the name if any of its addresses is not allowed: legitimate names have none. */
  async #checkedAddresses(hostname: string): Promise<LookupAddress[]> {
    if (!this.#allowPrivate && isLocalName(hostname)) throw new AddressNotAllowed(hostname)
    const addresses = await this.#resolve(hostname).catch(() => [])
    if (addresses.length === 0) throw new NameNotResolved(hostname)
    if (!addresses.every(({ address }) => this.#isAllowed(address))) throw new AddressNotAllowed(hostname)
    return addresses
  }
}

class AddressNotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED'
}
class NameNotResolved extends Error {}

class Exchange implements EgressExchange {
  readonly result: Promise<EgressResult>
  readonly #maxResponseBytes: number
  readonly #settle: (result: EgressResult) => void
  readonly #timer: NodeJS.Timeout
  #abort: ((reason: Error) => void) | undefined
  #isSettled = false
  #status = 0
  #retryAfter: string | undefined
  #bytes = 0
  readonly #chunks: Buffer[] = []

  constructor(agent: Agent, target: Target, request: EgressRequest) {
    const { promise, resolve } = Promise.withResolvers<EgressResult>()
    this.result = promise
    this.#maxResponseBytes = request.maxResponseBytes
    this.#timer = setTimeout(() => this.#abandon('timeout'), request.timeoutMs)
    this.#settle = (result) => {
      if (this.#isSettled) return
      this.#isSettled = true
      clearTimeout(this.#timer)
      resolve(result)
    }
    this.#dispatch(agent, target, request)
  }

  cancel(): void {
    this.#abandon('aborted')
  }

  #dispatch(agent: Agent, target: Target, { headers, body }: EgressRequest): void {
    const options = { ...target, method: 'POST' as const, headers: { ...headers }, body }
    agent.dispatch(options, {
      onRequestStart: (controller) => {
        // Timed out or cancelled while waiting for a connection, so not a byte is sent.
        if (this.#isSettled) return controller.abort(new Error('cancelled before it was sent'))
        this.#abort = (reason) => controller.abort(reason)
      },
      onResponseStart: (_controller, status, answered) => {
        this.#status = status
        const retryAfter = answered['retry-after']
        this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined
      },
      onResponseData: (_controller, chunk) => this.#read(chunk),
      onResponseEnd: () => this.#finish(),
      onResponseError: (_controller, error) => this.#settle(unanswered(problemOf(error))),
    })
  }

  #read(chunk: Buffer): void {
    if (this.#isSettled) return
    this.#chunks.push(chunk.subarray(0, this.#maxResponseBytes - this.#bytes))
    this.#bytes += chunk.length
    if (this.#bytes <= this.#maxResponseBytes) return
    this.#finish()
    this.#abort?.(new Error('the response exceeds the limit'))
  }

  #finish(): void {
    const text = Buffer.concat(this.#chunks).toString()
    this.#settle({
      kind: 'answered',
      status: this.#status,
      text,
      retryAfter: this.#retryAfter,
    })
  }

  #abandon(problem: 'timeout' | 'aborted'): void {
    this.#settle(unanswered(problem))
    this.#abort?.(new Error(problem))
  }
}

const REFUSED: EgressExchange = {
  result: Promise.resolve(unanswered('address_not_allowed')),
  cancel: () => {},
}

function unanswered(problem: EgressFailure): EgressResult {
  return { kind: 'unanswered', problem }
}

/** A stable code. Messages of errors can contain addresses, so they are not used. */
function problemOf(error: Error): EgressFailure {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed'
  if (error instanceof NameNotResolved) return 'name_not_resolved'
  const code = codeOf(error) ?? ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_TO_|SELF_SIGNED|EPROTO)/.test(code)) return 'tls_failed'
  return 'connection_failed'
}

function systemAddresses(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}

/**
 * Queries DNS directly. The system's resolver runs on four threads shared with file access, so four names that never resolve
 * would block everything. It also reads /etc/hosts, whose names are internal.
 */
function publicNameResolver(): (hostname: string) => Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
  }
}
