import type { FastifyInstance } from 'fastify'
import type { Sql } from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { createLimit } from '#platform/http/rate-limit'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Authenticate } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'
import type { PageRequest } from '#platform/http/validation/list'
import { businessesText, createUser, type UserRequest } from './accounts/create-user.ts'
import { type DisabledUser, disableUser } from './accounts/disable-user.ts'
import { type ListedUser, listUsers } from './accounts/list-users.ts'
import { passwordLink } from './accounts/password-link.ts'
import { setupLink } from './accounts/setup-link.ts'
import { registerAuthRoutes } from './console/auth-routes.ts'
import { registerLinkRoutes } from './console/link-routes.ts'
import { registerListSettingsRoutes } from './console/list-settings-routes.ts'
import { registerOperatorRoutes } from './console/operator-routes.ts'
import { registerSessionRoutes } from './console/session-routes.ts'
import { registerTrustedDeviceRoutes } from './console/trusted-device-routes.ts'
import { visitorsOf } from './console/visitor.ts'
import type { UsersDependencies } from './dependencies.ts'
import {
  INVITATION_FIELDS,
  type InvitationRequest,
  invitationsPage,
  invite,
  revokeInvitation,
} from './invitations/invitations.ts'
import {
  changeRoles,
  endMemberSessions,
  MEMBER_FIELDS,
  memberSessions,
  membersPage,
  removeMember,
  type RolesRequest,
} from './members/members.ts'
import { lostRightOfUser } from './roles/lost-right.ts'
import { sessionAuthenticator } from './sessions/authenticate.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { deleteExpiredVerifications } from './storage/user.repository.ts'

const SIGN_IN_REQUESTS_OF_ADDRESS_A_MINUTE = 300

/**
 * People: who they are, how they sign in, and what they may do in which business (reference/users).
 * - `sessionApi`: Adds what the console's pages call beside the public API.
 * - `setupLink`: Makes the first user. Undefined once there is one.
 * - `create`, `disable`, `passwordLink`: For the command line. They throw `CommandError`.
 * - `disable`: Ends all sessions. Resolves once no process admits the user any more.
 */
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
    void app.register(async (anonymous) => {
      anonymous.addHook('onRequest', createLimit(anonymous, { max: SIGN_IN_REQUESTS_OF_ADDRESS_A_MINUTE }))
      registerAuthRoutes(anonymous, this.#deps, this.#signIn)
      registerLinkRoutes(anonymous, this.#deps, this.#signIn)
    })
    const visitors = visitorsOf(this.#deps, this.#signIn)
    registerSessionRoutes(app, this.#deps, this.#signIn, visitors)
    registerTrustedDeviceRoutes(app, this.#deps, this.#signIn, visitors)
    registerListSettingsRoutes(app, this.#deps, visitors)
    registerOperatorRoutes(app, this.#deps, visitors)
  }

  deleteExpiredVerifications(): Promise<void> {
    return deleteExpiredVerifications(this.#deps.db.shared)
  }

  lostRight(
    caller: Pick<Caller, 'businessCode' | 'environment' | 'actor'>,
    scope: Scope,
  ): ReturnType<typeof lostRightOfUser> {
    return lostRightOfUser(this.#deps.db, caller, scope)
  }

  setupLink(): Promise<string | undefined> {
    return setupLink(this.#deps)
  }

  create(user: UserRequest): Promise<string> {
    return createUser(this.#deps, user)
  }

  disable(email: string): Promise<DisabledUser> {
    return disableUser(this.#deps, email)
  }

  passwordLink(email: string): Promise<string> {
    return passwordLink(this.#deps, this.#signIn, email)
  }

  businessesText(): Promise<string> {
    return businessesText(this.#deps.db.shared)
  }

  list(): Promise<ListedUser[]> {
    return listUsers(this.#deps.db.shared)
  }

  async membersPage(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return membersPage(this.#deps.db, caller, await this.#condition(caller, filter, MEMBER_FIELDS), page)
  }

  changeRoles(caller: Caller, id: string, roles: RolesRequest): Promise<{ member: object }> {
    return changeRoles(this.#deps.db, caller, id, roles)
  }

  removeMember(caller: Caller, id: string): Promise<object> {
    return removeMember(this.#deps.db, caller, id)
  }

  memberSessions(caller: Caller, id: string): Promise<object> {
    return memberSessions(this.#deps.db, caller, id)
  }

  endMemberSessions(caller: Caller, id: string): Promise<object> {
    return endMemberSessions(this.#deps.db, caller, id)
  }

  async invitationsPage(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    const condition = await this.#condition(caller, filter, INVITATION_FIELDS)
    return invitationsPage(this.#deps.db, caller, condition, page)
  }

  invite(caller: Caller, invitation: InvitationRequest): Promise<object> {
    return invite(this.#deps, caller, invitation)
  }

  revokeInvitation(caller: Caller, id: string): Promise<object> {
    return revokeInvitation(this.#deps.db, caller, id)
  }

  async #condition(
    { businessId }: Caller,
    filter: string | undefined,
    fields: FilterFields,
  ): Promise<Sql | undefined> {
    if (filter === undefined) return undefined
    const { timeZone } = await this.#deps.businesses.profile(businessId)
    return filterCondition(filter, fields, timeZone)
  }
}
