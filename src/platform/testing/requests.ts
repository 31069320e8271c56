import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'

export function withKey(caller: Caller, key: string, fingerprint = 'same'): Caller {
  return { ...caller, idempotency: { key, endpoint: 'POST /test', fingerprint } }
}

export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) =>
      error instanceof RequestError
        ? [error.status, error.reason, error.detail.param].filter((part) => part !== undefined).join(' ')
        : 'failed',
  )
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

export function rendered<Value, Args extends unknown[], Data extends object>(
  useCase: (caller: Caller, ...args: Args) => Promise<Value>,
  render: (value: Value) => Data,
): (caller: Caller, ...args: Args) => Promise<Data> {
  const renderValue = (value: unknown) => render(value as Value)
  return async (caller, ...args) => {
    const idempotency = caller.idempotency && { ...caller.idempotency, render: renderValue }
    return render(await useCase({ ...caller, ...(idempotency && { idempotency }) }, ...args))
  }
}
