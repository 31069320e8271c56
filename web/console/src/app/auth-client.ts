import { SERVICE_URL } from '#app/base-path.ts'

/** A refusal of the sign-in service. `code` is a stable word, such as `INVALID_EMAIL_OR_PASSWORD`. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

interface Refusal {
  readonly code?: string
  readonly message?: string
}

export function getAuth<Result>(path: string): Promise<Result> {
  return exchange(path, { method: 'GET' })
}

export function postAuth<Result>(path: string, body: object): Promise<Result> {
  return exchange(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function exchange<Result>(path: string, init: RequestInit): Promise<Result> {
  const response = await fetch(`${SERVICE_URL}/console/api/auth${path}`, init)
  const result: unknown = await response.json().catch(() => null)
  if (response.ok) return result as Result
  const { code = 'UNKNOWN', message = `The service answered ${response.status}.` } = (result ?? {}) as Refusal
  throw new AuthError(response.status, code, message)
}
