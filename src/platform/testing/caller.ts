import type { Caller } from '#platform/caller'

export function withKey(caller: Caller, key: string, fingerprint = 'same'): Caller {
  return { ...caller, idempotency: { key, endpoint: 'POST /test', fingerprint } }
}
