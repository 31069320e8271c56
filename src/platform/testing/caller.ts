import type { Caller } from '#platform/caller'

/** The caller, with this Idempotency-Key; another fingerprint stands for another request. */
export function withKey(caller: Caller, key: string, fingerprint = 'same'): Caller {
  return { ...caller, idempotency: { key, endpoint: 'POST /test', fingerprint } }
}
