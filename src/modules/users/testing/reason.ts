import type { Reply } from './browser.ts'

/** Status and reason of a refusal, or the status alone. */
export function outcomeOf({ status, body }: Reply): string {
  const reason: unknown = body?.data?.error?.reason
  return typeof reason === 'string' ? `${status} ${reason}` : String(status)
}
