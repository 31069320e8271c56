import { HourlyTasks } from '#platform/jobs/hourly-tasks'
import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { userRoutes } from './api/routes.ts'
import { verifyUsers } from './audit/verify.ts'
import type { UsersDependencies } from './dependencies.ts'
import { rewrapSignInSecret } from './sign-in/secret.ts'
import { USERS_PERSONAL_DATA } from './storage/personal-data.ts'
import { Users } from './users.ts'

export const usersModule = defineModule({
  name: 'users',
  errors: errors.catalogue,
  verify: verifyUsers,
  rewraps: [rewrapSignInSecret],
  personalData: USERS_PERSONAL_DATA,
  connect: (deps: UsersDependencies) => {
    const users = new Users(deps)
    const purge = { name: 'expired verifications', run: () => users.deleteExpiredVerifications() }
    const workers = [new HourlyTasks(deps.log, [purge])]
    return { users, routes: userRoutes(users), pages: users.sessionApi, workers }
  },
})
