import type { Reply } from './browser.ts'

export function outcomeOf({ status, body }: Reply): string {
  const reason: unknown = body?.data?.error?.reason
  return typeof reason === 'string' ? `${status} ${reason}` : String(status)
}
