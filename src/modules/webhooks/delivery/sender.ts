import type { KeyObject } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { type Instant, realNowMs } from '#kernel/clock'
import { memoize } from '#kernel/memoize'
import type { EgressResult, EgressExchange } from '#platform/security/egress'
import { isReadable } from '#platform/events/event-documents'
import type { SealBinding } from '#platform/security/keyring'
import { signatures, signingKeyOf, validSecrets } from '#platform/security/standard-webhooks'
import { judge, MAX_RESPONSE_BYTES, withoutEvent } from './delivery.ts'
import { secretBinding } from '../endpoints/endpoint.ts'
import { SLOW_MS } from '../queue/lanes.ts'
import { bodyOf, headersOf, type Message } from './message.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import type { ClaimedDelivery } from '../storage/queue.repository.ts'
import type { Entry, Recorder } from '../queue/recorder.ts'

const TIMEOUT_MS = 15_000
/** The lease of an exchange that turned out to be slow: to its timeout, and what it takes to record it. */
const SLOW_LEASE_MS = 20_000
/** Of endpoints. */
const MAX_KEYS_KEPT = 1_000

const keyOf = memoize(signingKeyOf)

/** Makes one attempt: signs, posts, judges, hands the outcome to the recorder. */
export class Sender {
  readonly #deps: WebhooksDependencies
  readonly #recorder: Recorder
  readonly #opened = new Map<string, KeyObject>()
  readonly #underWay = new Set<EgressExchange>()
  #stopped = false

  constructor(deps: WebhooksDependencies, recorder: Recorder) {
    this.#deps = deps
    this.#recorder = recorder
  }

  /** Calls off what is under way and what would be sent from here on: it is due again at once. */
  stop(): void {
    this.#stopped = true
    for (const exchange of this.#underWay) exchange.callOff()
  }

  /**
   * Never rejects. `onSlow` is called when the exchange is not over after `SLOW_MS`.
   * @returns how long the exchange took; undefined when there was none
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
      lane: delivery.lane,
      inOrder: delivery.in_order,
      endpointId: delivery.endpoint_id,
      isGone: false,
    }
    if (delivery.endpoint_id !== null && delivery.endpoint_state !== 'active') {
      this.#recorder.add(businessId, { ...leased, state: 'exhausted', attempt: null, retryMs: null })
      return undefined
    }
    if (!isReadable(delivery)) {
      const event = { business_id: businessId, event_id: delivery.event_id }
      this.#deps.log.error(event, 'the document of an event cannot be read')
      this.#recorder.add(businessId, { ...leased, ...withoutEvent(claim.at) })
      return undefined
    }
    const slow = setTimeout(() => {
      claim.onSlow()
      void this.#recorder.extend(businessId, delivery.id, claim.leaseId, SLOW_LEASE_MS)
    }, SLOW_MS)
    const startedAt = performance.now()
    const timestamp = Math.floor(realNowMs() / 1_000)
    const result = await this.#post(businessId, delivery, timestamp)
    clearTimeout(slow)
    const durationMs = performance.now() - startedAt
    this.#recorder.add(businessId, {
      ...leased,
      ...outcomeOf(delivery, result, { at: claim.at, durationMs, timestamp }),
    })
    return result === 'not signed' ? undefined : durationMs
  }

  async #post(
    businessId: string,
    delivery: ClaimedDelivery & Message,
    timestamp: number,
  ): Promise<EgressResult | 'not signed'> {
    const body = bodyOf(delivery)
    let signature: string
    try {
      const keys = await this.#keysOf(businessId, delivery)
      signature = signatures(keys, { id: delivery.event_id, timestamp, body })
    } catch (error) {
      this.#deps.log.error({ err: error, business_id: businessId }, 'could not sign a webhook')
      return 'not signed'
    }
    if (this.#stopped) return { kind: 'unanswered', problem: 'aborted' }
    const exchange = this.#deps.egress.begin({
      url: delivery.url,
      headers: { ...headersOf(delivery.event_id, timestamp), 'webhook-signature': signature },
      body,
      timeoutMs: this.#deps.timeoutMs ?? TIMEOUT_MS,
      mostAnswerBytes: MAX_RESPONSE_BYTES,
    })
    this.#underWay.add(exchange)
    const result = await exchange.result
    this.#underWay.delete(exchange)
    return result
  }

  /** The endpoint's or the business's, newest first. */
  async #keysOf(businessId: string, delivery: ClaimedDelivery): Promise<KeyObject[]> {
    if (delivery.endpoint_id === null || delivery.sealed_secret === null) {
      const secrets = await this.#deps.businesses.webhookSecrets(businessId)
      return secrets.map((secret) => keyOf(secret))
    }
    const bound = secretBinding(businessId, delivery.endpoint_id)
    const {
      sealed_secret: secret,
      sealed_previous_secret: previous,
      previous_until: previousUntil,
    } = delivery
    return validSecrets({ secret, previous, previousUntil }).map((sealed) => this.#open(sealed, bound))
  }

  /**
   * What is sealed never changes, and nearly every delivery of a business is signed with the same. Known by what it is bound
   * to as well: a sealed secret in another row does not open.
   */
  #open(sealed: string, bound: SealBinding): KeyObject {
    const name = `${bound.businessId} ${bound.field} ${sealed}`
    const known = this.#opened.get(name)
    if (known !== undefined) return known
    const key = signingKeyOf(this.#deps.keyring.open(sealed, bound))
    if (this.#opened.size >= MAX_KEYS_KEPT) this.#opened.clear()
    this.#opened.set(name, key)
    return key
  }
}

function outcomeOf(
  delivery: ClaimedDelivery,
  result: EgressResult | 'not signed',
  made: { readonly at: Instant; readonly durationMs: number; readonly timestamp: number },
): Pick<Entry, 'state' | 'attempt' | 'retryMs' | 'isGone'> {
  // Ours to mend, or called off by us: the receiver has done nothing wrong, and no attempt is used up.
  if (result === 'not signed') return untried(UNSIGNED_RETRY_MS)
  if (result.kind === 'unanswered' && result.problem === 'aborted') return untried(0)
  return judge(result, { ...made, tries: delivery.tries + 1 })
}

const UNSIGNED_RETRY_MS = 60_000

function untried(retryMs: number): Pick<Entry, 'state' | 'attempt' | 'retryMs' | 'isGone'> {
  return { state: 'pending', attempt: null, retryMs, isGone: false }
}
