import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate } from '#platform/http/authorization'
import { createUser, type UserRequest } from './accounts/create-user.ts'
import { type DisabledUser, disableUser } from './accounts/disable-user.ts'
import { type ListedUser, listUsers } from './accounts/list-users.ts'
import { passwordLink } from './accounts/password-link.ts'
import { registerAuthRoutes } from './console/auth-routes.ts'
import { registerSessionRoutes } from './console/session-routes.ts'
import type { UsersDependencies } from './dependencies.ts'
import { sessionAuthenticator } from './sessions/authenticate.ts'
import { consoleBase } from './sessions/own-origin.ts'
import { SignIn } from './sign-in/sign-in.ts'

/** People: who they are, how they sign in, and what they may do in which business (reference/users). */
export class Users {
  readonly #deps: UsersDependencies
  readonly #signIn: SignIn
  readonly authenticate: Authenticate

  constructor(deps: UsersDependencies) {
    this.#deps = deps
    this.#signIn = new SignIn(deps)
    const { db, publicUrl } = deps
    this.authenticate = sessionAuthenticator({ db, publicUrl, secret: this.#signIn.secret })
  }

  readonly sessionApi = (app: FastifyInstance): void => {
    const baseOf = (request: FastifyRequest) => consoleBase(request.headers, this.#deps.publicUrl())
    registerAuthRoutes(app, {
      shared: this.#deps.db.shared,
      baseOf,
      handle: async (request, base) => (await this.#signIn.at(base)).handler(request),
    })
    registerSessionRoutes(app, this.#deps, this.#signIn)
  }

  /** Disables the user and ends all sessions. Resolves once no process admits the user any more. Throws `CommandError`. */
  disable(email: string): Promise<DisabledUser> {
    return disableUser(this.#deps, email)
  }

  /** A link that sets a password, for whoever creates users at the command line. Throws `CommandError`. */
  passwordLink(email: string): Promise<string> {
    return passwordLink(this.#deps, this.#signIn, email)
  }

  list(): Promise<ListedUser[]> {
    return listUsers(this.#deps.db.shared)
  }

  create(user: UserRequest): Promise<string> {
    return createUser(this.#deps, user)
  }
}
