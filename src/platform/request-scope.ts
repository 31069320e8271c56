import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How old the data may be that a request reads, and is.
 * - `source`: Where the request reads. It may go from a replica to the primary but not back, so that no part of a
 *   response is older than an earlier one.
 */
export interface Staleness {
  source: object | 'primary' | undefined
  ageMs: number | undefined
}

interface Scope {
  readonly requestId: string
  readonly staleness: Staleness | undefined
}

const requests = new AsyncLocalStorage<Scope>()

/**
 * Runs `work` on behalf of a request. Events that it appends, however deep, carry the id of that request.
 * @param staleness of a request that only reads, and may do so from a replica
 */
export function onBehalfOf<T>(requestId: string, work: () => T, staleness?: Staleness): T {
  return requests.run({ requestId, staleness }, work)
}

export function currentRequestId(): string | null {
  return requests.getStore()?.requestId ?? null
}

export function currentStaleness(): Staleness | undefined {
  return requests.getStore()?.staleness
}
