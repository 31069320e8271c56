import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, unauthorized } from './errors.ts'
import { randomText } from './store.ts'

interface Token {
  readonly account: string
  readonly endsAt: number
}

/**
 * Logins and their tokens, which a restart ends. A client id `NAME` belongs to the account `acct_NAME`, `NAME__2` is
 * another key of it. An API key with `refused` in it is refused, one with `expired` in it has ended.
 */
export class Credentials {
  readonly #tokens = new Map<string, Token>()
  #logins = 0

  get logins(): number {
    return this.#logins
  }

  login(headers: IncomingHttpHeaders, nowSeconds: number, tokenSeconds: number) {
    this.#logins += 1
    const clientId = headerOf(headers, 'x-client-id')
    const apiKey = headerOf(headers, 'x-api-key')
    if (clientId === '' || apiKey === '' || clientId.includes('refused') || apiKey.includes('refused')) {
      throw new ApiError(401, 'credentials_invalid', 'UNAUTHORIZED')
    }
    if (apiKey.includes('expired')) throw new ApiError(401, 'credentials_expired', 'UNAUTHORIZED')
    const wanted = headerOf(headers, 'x-login-as')
    if (wanted.includes('foreign')) throw new ApiError(403, 'forbidden', 'The account cannot be reached')
    const own = `acct_${clientId.split('__')[0] ?? ''}`
    const token = `eyJhbGciOiJIUzI1NiJ9.${randomText(40)}`
    const endsAt = nowSeconds + tokenSeconds
    this.#tokens.set(token, { account: wanted === '' ? own : wanted, endsAt })
    return { token, endsAt }
  }

  accountOf(headers: IncomingHttpHeaders, nowSeconds: number): string {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headerOf(headers, 'authorization')) ?? []
    const known = this.#tokens.get(token)
    if (known === undefined || known.endsAt <= nowSeconds) throw unauthorized()
    return known.account
  }

  endTokens(): void {
    this.#tokens.clear()
  }
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
