import { memoizeAsync } from '#kernel/memoize'
import { LRUCache } from 'lru-cache'
import type { UsersDependencies } from '../dependencies.ts'
import type { Auth } from './auth.ts'
import { signInSecret } from './secret.ts'

const MAX_ADDRESSES = 4

/**
 * better-auth at the addresses of this service. It is loaded with the first request that needs it, because that takes a
 * second, and most processes never need it.
 */
export class SignIn {
  readonly #deps: UsersDependencies
  readonly #auths = new LRUCache<string, Promise<Auth>>({ max: MAX_ADDRESSES })
  #secret: Promise<string> | undefined

  constructor(deps: UsersDependencies) {
    this.#deps = deps
  }

  readonly secret = (): Promise<string> => {
    this.#secret ??= signInSecret(this.#deps.db, this.#deps.keyring)
    this.#secret.catch(() => {
      this.#secret = undefined
    })
    return this.#secret
  }

  at(base: string): Promise<Auth> {
    return memoizeAsync(this.#auths, base, () => this.#load(base))
  }

  async #load(base: string): Promise<Auth> {
    const [{ createAuth }, secret] = await Promise.all([import('./auth.ts'), this.secret()])
    return createAuth(this.#deps, secret, base)
  }
}
