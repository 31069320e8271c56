import { AsyncLocalStorage } from 'node:async_hooks'

export type Priority = 'critical' | 'standard' | 'low' | 'background'

/** - `isUnderWay`: Had a connection, so it may have written something. - `held`: The slots that it holds now. */
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
