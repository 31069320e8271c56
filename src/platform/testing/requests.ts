import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'

export function withKey(caller: Caller, key: string, fingerprint = 'same'): Caller {
  return { ...caller, idempotency: { key, endpoint: 'POST /test', fingerprint } }
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof RequestError) return error.reason
      throw error
    },
  )
}
