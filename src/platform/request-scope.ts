import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/** Runs `work` on behalf of a request. Events that it appends, however deep, carry the id of that request. */
export function onBehalfOf<T>(requestId: string, work: () => T): T {
  return requests.run(requestId, work)
}

export function currentRequestId(): string | null {
  return requests.getStore() ?? null
}
