import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How soon work gets a connection to the database while others wait for one too.
 * - `critical`: moves money for a payer who waits. `low`: lists, CSV, reports. `background`: jobs and deliveries, which
 *   nobody waits for; they are never refused.
 */
export type Priority = 'critical' | 'standard' | 'low' | 'background'

/**
 * - `isUnderWay`: The request has had a connection. From then on it goes before others and is never refused, because it
 *   may have written something.
 * - `held`: The slots that it holds now. Who holds one waits for no other.
 */
export interface RequestScope {
  readonly requestId: string | null
  readonly priority: Priority
  isUnderWay: boolean
  held: number
}

const requests = new AsyncLocalStorage<RequestScope>()

export function inRequest<T>(requestId: string, priority: Priority, work: () => T): T {
  return requests.run({ requestId, priority, isUnderWay: false, held: 0 }, work)
}

/** Runs long work of a request, such as a clock advance, with the priority of jobs. */
export function inBackground<T>(work: () => T): T {
  return onBehalfOf(currentRequestId(), work)
}

/** Runs a job's work on behalf of a request. Events that it appends, however deep, carry the id of that request. */
export function onBehalfOf<T>(requestId: string | null, work: () => T): T {
  return requests.run({ requestId, priority: 'background', isUnderWay: false, held: 0 }, work)
}

export function currentScope(): RequestScope | undefined {
  return requests.getStore()
}

export function currentRequestId(): string | null {
  return requests.getStore()?.requestId ?? null
}
