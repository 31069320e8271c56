import type { KeyObject } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { type Instant, realNowMs } from '#kernel/clock'
import { memoize } from '#kernel/memoize'
import { whileRenewing } from '#platform/jobs/renewals'
import type { EgressResult, EgressExchange } from '#platform/security/egress'
import { isReadable } from '#platform/events/event-documents'
import { markFailed, tracedFromHere } from '#platform/observability/tracing'
import type { SealBinding } from '#platform/security/keyring'
import { signatures, signingKeyOf, validSecrets } from '#platform/security/standard-webhooks'
import { evaluateAttempt, MAX_RESPONSE_BYTES, unreadableEvent } from './delivery.ts'
import { hostOf } from '../model/receiver-key.ts'
import { secretBinding } from '../model/endpoint.ts'
import { SLOW_MS } from './endpoint-limiter.ts'
import { bodyOf, headersOf, type Message } from './message.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import type { ClaimedDelivery } from '../storage/queue.repository.ts'
import type { ResultWriter, SendResult } from './result-writer.ts'

/** The time of reference/events#deliveries. */
export const TIMEOUT_MS = 15_000
/** The timeout, and the time that recording the result takes. */
export const SLOW_LEASE_MS = 20_000
const MAX_CACHED_KEYS = 1_000
/** The key is missing until an operator adds it. */
const UNSIGNED_RETRY_MS = 60_000

const businessKeyOf = memoize(signingKeyOf)

export class Sender {
  readonly #deps: WebhooksDependencies
  readonly #results: ResultWriter
  readonly #endpointKeys = new LRUCache<string, KeyObject>({ max: MAX_CACHED_KEYS })
  readonly #exchanges = new Set<EgressExchange>()
  #aborted = false

  constructor(deps: WebhooksDependencies, results: ResultWriter) {
    this.#deps = deps
    this.#results = results
  }

  abort(): void {
    this.#aborted = true
    for (const exchange of this.#exchanges) exchange.cancel()
  }

  /**
   * Never rejects. Calls `onSlow` when the request has run for `SLOW_MS`.
   * @returns the duration of the request in milliseconds; undefined when none was made
   */
  async send(
    businessId: string,
    delivery: ClaimedDelivery,
    claim: { readonly leaseId: string; readonly at: Instant; readonly onSlow: () => void },
  ): Promise<number | undefined> {
    const leased = {
      id: delivery.id,
      leaseId: claim.leaseId,
      objectId: delivery.object_id,
      receiver: delivery.receiver,
      inOrder: delivery.in_order,
      endpointId: delivery.endpoint_id,
      isGone: false,
    }
    if (delivery.endpoint_id !== null && delivery.endpoint_state !== 'active') {
      this.#results.add(businessId, { ...leased, state: 'exhausted', attempt: null, retryMs: null })
      return undefined
    }
    if (!isReadable(delivery)) {
      const context = { business_id: businessId, event_id: delivery.event_id }
      this.#deps.log.error(context, 'cannot read the document of an event; its delivery is exhausted')
      this.#results.add(businessId, { ...leased, ...unreadableEvent(claim.at) })
      return undefined
    }
    const renewal = {
      firstAfterMs: SLOW_MS,
      // One renewal covers the request, which ends by its timeout.
      everyMs: TIMEOUT_MS,
      renew: () => {
        claim.onSlow()
        return this.#results.extendLease(businessId, leased, SLOW_LEASE_MS)
      },
    }
    const startedAt = performance.now()
    const timestamp = Math.floor(realNowMs() / 1_000)
    const result = await whileRenewing(renewal, () => this.#tracedPost(businessId, delivery, timestamp))
    const durationMs = performance.now() - startedAt
    const outcome = resultOf(delivery, result, { at: claim.at, durationMs, webhookTimestamp: timestamp })
    if (outcome.attempt !== null) this.#deps.onAttempt?.(outcome.state, durationMs)
    this.#results.add(businessId, { ...leased, ...outcome })
    return result === 'not signed' ? undefined : durationMs
  }

  /**
   * The first attempt belongs to the trace of what caused the event. Later ones, up to days after it, are traces of their own
   * that are linked to it. The receiver is not sent the trace.
   */
  #tracedPost(
    businessId: string,
    delivery: ClaimedDelivery & Message,
    timestamp: number,
  ): Promise<EgressResult | 'not signed'> {
    if (delivery.traceparent === null) return this.#post(businessId, delivery, timestamp)
    const options = {
      kind: 'client',
      attributes: {
        'http.request.method': 'POST',
        'server.address': hostOf(delivery.receiver),
        'quittance.business_id': businessId,
        'quittance.delivery_id': delivery.id,
        'quittance.event_id': delivery.event_id,
        'quittance.attempt': delivery.tries + 1,
      },
      ...(delivery.tries === 0
        ? { parent: { traceparent: delivery.traceparent } }
        : { follows: delivery.traceparent }),
    } as const
    return tracedFromHere(`deliver ${delivery.type}`, options, async (span) => {
      const result = await this.#post(businessId, delivery, timestamp)
      if (span === undefined || result === 'not signed') return result
      if (result.kind === 'answered') span.setAttribute('http.response.status_code', result.status)
      if (result.kind === 'unanswered') markFailed(span, result.problem)
      else if (result.status >= 300) markFailed(span, String(result.status))
      return result
    })
  }

  async #post(
    businessId: string,
    delivery: ClaimedDelivery & Message,
    timestamp: number,
  ): Promise<EgressResult | 'not signed'> {
    const body = bodyOf(delivery)
    let signature: string
    try {
      const keys = await this.#signingKeys(businessId, delivery)
      signature = signatures(keys, { id: delivery.event_id, timestamp, body })
    } catch (error) {
      this.#deps.log.error({ err: error, business_id: businessId }, 'cannot sign a webhook message')
      return 'not signed'
    }
    if (this.#aborted) return { kind: 'unanswered', problem: 'aborted' }
    const exchange = this.#deps.egress.start({
      url: delivery.url,
      headers: { ...headersOf(delivery.event_id, timestamp), 'webhook-signature': signature },
      body,
      timeoutMs: this.#deps.timeoutMs ?? TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    })
    this.#exchanges.add(exchange)
    const result = await exchange.result
    this.#exchanges.delete(exchange)
    return result
  }

  async #signingKeys(businessId: string, delivery: ClaimedDelivery): Promise<KeyObject[]> {
    if (delivery.endpoint_id === null || delivery.sealed_secret === null) {
      const secrets = await this.#deps.businesses.webhookSecrets(businessId)
      return secrets.map((secret) => businessKeyOf(secret))
    }
    const binding = secretBinding(businessId, delivery.endpoint_id)
    const {
      sealed_secret: secret,
      sealed_previous_secret: previous,
      previous_until: previousUntil,
    } = delivery
    return validSecrets({ secret, previous, previousUntil }).map((sealed) => this.#unseal(sealed, binding))
  }

  #unseal(sealed: string, binding: SealBinding): KeyObject {
    // The binding is part of the key: a sealed secret that was moved to another row must not open.
    const cacheKey = `${binding.businessId} ${binding.field} ${sealed}`
    const cached = this.#endpointKeys.get(cacheKey)
    if (cached !== undefined) return cached
    const key = signingKeyOf(this.#deps.keyring.open(sealed, binding))
    this.#endpointKeys.set(cacheKey, key)
    return key
  }
}

type ResultOfAttempt = Pick<SendResult, 'state' | 'attempt' | 'retryMs' | 'isGone'>

function resultOf(
  delivery: ClaimedDelivery,
  result: EgressResult | 'not signed',
  made: { readonly at: Instant; readonly durationMs: number; readonly webhookTimestamp: number },
): ResultOfAttempt {
  if (result === 'not signed') return notAttempted(UNSIGNED_RETRY_MS)
  if (result.kind === 'unanswered' && result.problem === 'aborted') return notAttempted(0)
  return evaluateAttempt(result, { ...made, tries: delivery.tries + 1 })
}

/** When signing fails or the process stops, the receiver did nothing wrong, so no attempt is used up. */
function notAttempted(retryMs: number): ResultOfAttempt {
  return { state: 'pending', attempt: null, retryMs, isGone: false }
}
