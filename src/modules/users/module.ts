import type { Caller } from '#platform/caller'
import { HOUR_MS } from '#kernel/time-units'
import { PeriodicTasks } from '#platform/jobs/periodic-tasks'
import type { Scope } from '#platform/http/routes/route'
import { defineModule } from '#platform/module'
import { actorNames } from './accounts/actor-names.ts'
import { businessesText, createUser, type UserRequest } from './accounts/create-user.ts'
import { disableUser } from './accounts/disable-user.ts'
import { listUsers } from './accounts/list-users.ts'
import { passwordLink } from './accounts/password-link.ts'
import { setupLink } from './accounts/setup-link.ts'
import { userRoutes } from './api/routes.ts'
import { verifyUsers } from './audit/verify.ts'
import { sessionApi } from './console/session-api.ts'
import type { UsersContext } from './context.ts'
import type { UsersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { lostRightOfUser } from './roles/lost-right.ts'
import { sessionAuthenticator } from './sessions/authenticate.ts'
import { rewrapSignInSecret } from './sign-in/secret.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { USERS_PERSONAL_DATA } from './storage/personal-data.ts'
import { deleteExpiredVerifications, findEmail } from './storage/user.repository.ts'

export const usersModule = defineModule({
  name: 'users',
  errors: errors.catalogue,
  verify: verifyUsers,
  rewraps: [rewrapSignInSecret],
  personalData: USERS_PERSONAL_DATA,
  connect: (deps: UsersDependencies) => {
    const ctx = { ...deps, signIn: new SignIn(deps) }
    const purge = {
      name: 'expired verifications',
      run: () => deleteExpiredVerifications(deps.db.shared),
    }
    return {
      users: usersOf(ctx),
      routes: userRoutes(ctx),
      pages: sessionApi(ctx),
      workers: [new PeriodicTasks(deps.log, HOUR_MS, [purge])],
    }
  },
})

export type Users = ReturnType<typeof usersOf>

/**
 * What the service and the command line use.
 * - `setupLink`: Makes the first user. Undefined once there is one.
 * - `create`, `disable`, `passwordLink`: For the command line. They throw `CommandError`.
 * - `actorNames`: The names that users and API keys have now.
 * - `disable`: Ends all sessions. Resolves once no process admits the user any more.
 */
function usersOf(ctx: UsersContext) {
  const { db, publicUrl, signIn } = ctx
  return {
    authenticate: sessionAuthenticator({ db, publicUrl, secret: signIn.secret }),
    lostRight: (caller: Pick<Caller, 'businessCode' | 'environment' | 'actor'>, scope: Scope) =>
      lostRightOfUser(db, caller, scope),
    actorNames: (businessId: string, ids: readonly string[]) => actorNames(ctx, businessId, ids),
    setupLink: () => setupLink(ctx),
    create: (user: UserRequest) => createUser(ctx, user),
    disable: (email: string) => disableUser(ctx, email),
    passwordLink: (email: string) => passwordLink(ctx, signIn, email),
    businessesText: () => businessesText(db.shared),
    list: () => listUsers(db.shared),
    emailOf: (userId: string) => findEmail(db.shared, userId),
  }
}
