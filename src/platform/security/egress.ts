import { lookup, Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { memoize } from '#kernel/memoize'
import { isLocalName, isPublicAddress, literalAddress } from '#platform/security/public-address'
import { codeOf } from '#platform/thrown'

/**
 * HTTP to addresses that callers chose: webhooks, decision hooks. It must not be led to machines that
 * only we can reach, so a name is resolved here, every address of it is checked, and the connection
 * goes to the addresses that were checked: a DNS answer that changes afterwards changes nothing.
 * Redirects are answers like any other, proxies of the environment are not used, the whole exchange
 * has one timeout, and of the answer only a bounded part is read.
 */
export interface EgressOptions {
  /** `ALLOW_PRIVATE_WEBHOOKS`: for development only. */
  readonly allowPrivate: boolean
  /** All addresses of a name. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>
  /** Whether an address may be talked to; for tests, which have nothing but loopback. */
  readonly isAllowed?: (address: string) => boolean
}

export interface EgressRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** From now to the last byte of the answer, connecting included. */
  readonly timeoutMs: number
  /** What is read of the answer; the rest is cut off, and the answer counts. */
  readonly mostAnswerBytes: number
}

type EgressProblem =
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
  | { readonly kind: 'unanswered'; readonly problem: EgressProblem }

/** A request that is under way. */
export interface EgressExchange {
  /** Never rejects. */
  readonly result: Promise<EgressResult>
  /** Ends it as `aborted`; nothing when it is over. */
  callOff(): void
}

/** Of a URL that may be called. */
interface Target {
  readonly origin: string
  readonly path: string
}

const CONNECT_TIMEOUT_MS = 10_000
/** Receivers that do not say how long they keep a connection are asked again within this, or on a new one. */
const KEEP_ALIVE_MS = 4_000
const DNS_TIMEOUT_MS = 2_000
const DNS_TRIES = 2

export class Egress {
  readonly #allowPrivate: boolean
  readonly #isAllowed: (address: string) => boolean
  readonly #resolve: (hostname: string) => Promise<LookupAddress[]>
  readonly #agent: Agent
  readonly #targetOf = memoize((url: string) => this.#readTarget(url))

  constructor(options: EgressOptions) {
    this.#allowPrivate = options.allowPrivate
    this.#isAllowed = options.isAllowed ?? (options.allowPrivate ? () => true : isPublicAddress)
    this.#resolve = options.resolve ?? (options.allowPrivate ? systemAddresses : publicNameResolver())
    this.#agent = new Agent({
      connect: this.#connector(),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The timer of `post` is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /**
   * What is wrong with a URL that a caller wants us to call, as the end of a sentence that begins with
   * its member; undefined when nothing is. What its name resolves to is looked at when it is called.
   */
  checkUrl(text: string): string | undefined {
    const target = this.#targetOf(text)
    return 'problem' in target ? target.problem : undefined
  }

  /** One POST and its answer. Never rejects, never follows a redirect, never repeats the request. */
  post(request: EgressRequest): Promise<EgressResult> {
    return this.begin(request).result
  }

  /** As `post`, for who may have to call it off. */
  begin(request: EgressRequest): EgressExchange {
    // undici does not ask `lookup` about IP literals.
    const target = this.#targetOf(request.url)
    if ('problem' in target) return REFUSED
    return new Exchange(this.#agent, target, request)
  }

  /** Ends all connections; what is under way is cut off. */
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
    return buildConnector({ lookup: guarded, timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  }

  async #lookUp(hostname: string, all: boolean, answer: Parameters<LookupFunction>[2]): Promise<void> {
    const found = await this.#checkedAddresses(hostname).catch((error: unknown) => error)
    const [first] = Array.isArray(found) ? (found as LookupAddress[]) : []
    if (first === undefined) answer(found instanceof Error ? found : new NameNotResolved(hostname), [])
    else if (all) answer(null, found as LookupAddress[])
    else answer(null, first.address, first.family)
  }

  /** One address that is not allowed refuses the name: an honest name has none. */
  async #checkedAddresses(hostname: string): Promise<LookupAddress[]> {
    if (!this.#allowPrivate && isLocalName(hostname)) throw new AddressNotAllowed(hostname)
    const addresses = await this.#resolve(hostname).catch(() => [])
    if (addresses.length === 0) throw new NameNotResolved(hostname)
    if (!addresses.every(({ address }) => this.#isAllowed(address))) throw new AddressNotAllowed(hostname)
    return addresses
  }
}

class AddressNotAllowed extends Error {}
class NameNotResolved extends Error {}

/** One request on its way, and what becomes of it first: an answer, an error, its time is over, or it is called off. */
class Exchange implements EgressExchange {
  readonly result: Promise<EgressResult>
  readonly #mostAnswerBytes: number
  readonly #settle: (result: EgressResult) => void
  readonly #timer: NodeJS.Timeout
  #abort: ((reason: Error) => void) | undefined
  #over = false
  #status = 0
  #retryAfter: string | undefined
  #bytes = 0
  readonly #chunks: Buffer[] = []

  constructor(agent: Agent, target: Target, request: EgressRequest) {
    const { promise, resolve } = Promise.withResolvers<EgressResult>()
    this.result = promise
    this.#mostAnswerBytes = request.mostAnswerBytes
    this.#timer = setTimeout(() => this.#giveUp('timeout'), request.timeoutMs)
    this.#settle = (result) => {
      if (this.#over) return
      this.#over = true
      clearTimeout(this.#timer)
      resolve(result)
    }
    this.#dispatch(agent, target, request)
  }

  callOff(): void {
    this.#giveUp('aborted')
  }

  #dispatch(agent: Agent, target: Target, { headers, body }: EgressRequest): void {
    const options = { ...target, method: 'POST' as const, headers: { ...headers }, body }
    agent.dispatch(options, {
      onRequestStart: (controller) => {
        // Given up while it waited for a connection: it is taken back before a byte of it leaves.
        if (this.#over) return controller.abort(new Error('given up'))
        this.#abort = (reason) => controller.abort(reason)
      },
      onResponseStart: (_controller, status, answered) => {
        this.#status = status
        const retryAfter = answered['retry-after']
        this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined
      },
      onResponseData: (_controller, chunk) => this.#read(chunk),
      onResponseEnd: () => this.#answered(),
      onResponseError: (_controller, error) => this.#settle(unanswered(problemOf(error))),
    })
  }

  #read(chunk: Buffer): void {
    if (this.#over) return
    this.#chunks.push(chunk.subarray(0, this.#mostAnswerBytes - this.#bytes))
    this.#bytes += chunk.length
    if (this.#bytes <= this.#mostAnswerBytes) return
    this.#answered()
    this.#abort?.(new Error('the answer is longer than what is read of it'))
  }

  #answered(): void {
    const text = Buffer.concat(this.#chunks).toString()
    this.#settle({
      kind: 'answered',
      status: this.#status,
      text,
      retryAfter: this.#retryAfter,
    })
  }

  #giveUp(problem: 'timeout' | 'aborted'): void {
    this.#settle(unanswered(problem))
    this.#abort?.(new Error(problem))
  }
}

const REFUSED: EgressExchange = {
  result: Promise.resolve(unanswered('address_not_allowed')),
  callOff: () => {},
}

function unanswered(problem: EgressProblem): EgressResult {
  return { kind: 'unanswered', problem }
}

/** A stable word for what went wrong; messages of errors hold addresses. */
function problemOf(error: Error): EgressProblem {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed'
  if (error instanceof NameNotResolved) return 'name_not_resolved'
  const code = codeOf(error) ?? ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_TO_|SELF_SIGNED|EPROTO)/.test(code)) return 'tls_failed'
  return 'connection_failed'
}

/** As the machine resolves names, /etc/hosts included: where development is allowed. */
function systemAddresses(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}

/**
 * Asks the DNS itself. The system's resolver works on four threads that file access shares: four names
 * that never resolve would hold up everything. Names in /etc/hosts are ours, and nobody's webhook.
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
