import { realClock } from '#kernel/clock'
import { parseMembers } from '../../port/members.ts'
import type { AccountClient } from '../../port/account-client.ts'
import { instantOf, textOf } from './members.ts'

const PATH = '/api/v1/authentication/login'
/** How long before its end a token is renewed; a token of a short life, a fifth of it before its end. */
const MARGIN_MS = 120_000
/** Where the answer does not say when the token ends, or our clock is past it: Airwallex's own client renews after this. */
const USUAL_LIFE_MS = 20 * 60_000

/** `refused`: Airwallex does not accept the credentials. `unknown`: it did not answer, or not now. */
export type TokenReply =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unknown'; readonly message: string }

interface HeldToken {
  readonly token: string
  readonly renewAtMs: number
}

/** One token for all requests of an account, from one login at a time. */
export class Tokens {
  readonly #client: AccountClient
  readonly #headers: Readonly<Record<string, string>>
  #held: HeldToken | null = null
  #login: Promise<TokenReply> | null = null

  constructor(client: AccountClient, credentials: Readonly<Record<string, string>>) {
    const { client_id: clientId = '', api_key: apiKey = '', account_id: accountId } = credentials
    this.#client = client
    this.#headers = {
      'x-client-id': clientId,
      'x-api-key': apiKey,
      ...(accountId !== undefined && { 'x-login-as': accountId }),
    }
  }

  get(): Promise<TokenReply> {
    const held = this.#held
    if (held !== null && nowMs() < held.renewAtMs) {
      return Promise.resolve({ kind: 'token', token: held.token })
    }
    return this.#loginOnce()
  }

  /** Another token than the one that was refused. Requests that were refused together log in once. */
  renew(refused: string): Promise<TokenReply> {
    if (this.#held?.token === refused) this.#held = null
    return this.get()
  }

  #loginOnce(): Promise<TokenReply> {
    this.#login ??= this.#logIn().finally(() => (this.#login = null))
    return this.#login
  }

  async #logIn(): Promise<TokenReply> {
    const answer = await this.#client.send({ method: 'POST', path: PATH, body: '{}', headers: this.#headers })
    if (answer.kind === 'unanswered') return { kind: 'unknown', message: answer.reason }
    const { status } = answer
    if (status >= 500 || status === 408 || status === 409 || status === 429) {
      return { kind: 'unknown', message: `Airwallex answered the login with HTTP ${status}.` }
    }
    const body = parseMembers(answer.text)
    const token = textOf(body?.token)
    if (status >= 400 || token === null) return { kind: 'refused', status }
    const saidMs = (instantOf(body?.expires_at)?.epochMilliseconds ?? 0) - nowMs()
    const lifeMs = saidMs > 0 ? saidMs : USUAL_LIFE_MS
    const renewAtMs = nowMs() + Math.max(lifeMs - MARGIN_MS, lifeMs * 0.8)
    this.#held = { token, renewAtMs }
    return { kind: 'token', token }
  }
}

function nowMs(): number {
  return realClock.now().epochMilliseconds
}
