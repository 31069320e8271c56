import type { FastifyInstance } from 'fastify'
import { newId } from '#kernel/ids'
import { businessesOf, prepareBusiness } from '#modules/businesses'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { startTestServer } from '#platform/testing/test-server'
import type { Route } from '#platform/http/routes/route'
import type { AccessRecord } from '../access-log/access-record.ts'
import type { UsersDependencies } from '../dependencies.ts'
import type { Role } from '../model/roles.ts'
import { putMembership } from '../storage/membership.repository.ts'
import { renderInvited, renderMemberData } from '../api/render.ts'
import { invite } from '../invitations/invitations.ts'
import { changeRoles } from '../members/members.ts'
import { type Users, usersModule } from '../module.ts'
import { SignIn } from '../sign-in/sign-in.ts'
import { rendered } from '#platform/testing/requests'
import { createLog } from '#platform/observability/log'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery staple'

export async function createFixture() {
  const database = await createTestDatabase()
  const { keyring } = createTestKeyring()
  const businesses = businessesOf({ db: database.db, keyring })

  const newBusiness = async (name = 'Acme') => {
    const business = prepareBusiness({ name })
    await businesses.create(business)
    return { code: business.code, testId: business.test.businessId, liveId: business.live.businessId }
  }

  const serve = async (
    options: Partial<UsersDependencies> & {
      readonly routes?: readonly Route[]
      readonly pages?: (app: FastifyInstance) => void
      readonly rateLimit?: number
    } = {},
  ) => {
    const { routes, pages, rateLimit = 0, ...changes } = options
    let url = ''
    const records: AccessRecord[] = []
    const deps: UsersDependencies = {
      db: database.db,
      keyring,
      businesses,
      publicUrl: () => url,
      oidc: undefined,
      mailer: undefined,
      log: createLog({ level: 'silent' }),
      recordAccess: async (record) => void records.push(record),
      operatorLog: { page: async () => ({ audit_entries: [] }), export: async function* () {} },
      ...changes,
    }
    const module = usersModule.connect(deps)
    const ctx = { ...deps, signIn: new SignIn(deps) }
    const users = {
      ...module.users,
      changeRoles: rendered(changeRoles.bind(null, ctx), renderMemberData),
      invite: rendered(invite.bind(null, ctx), renderInvited),
    }
    const server = await startTestServer({
      routes: routes ?? module.routes,
      authenticate: users.authenticate,
      plainRoutes: (app) => {
        module.pages(app)
        pages?.(app)
      },
      publicUrl: () => url,
      rateLimit,
    })
    url = server.url
    return { users, server, url, records, browser: () => new Browser(url) }
  }

  const newUser = async (
    users: Users,
    options: { email?: string; operator?: boolean; password?: string } = {},
  ) => {
    const email = options.email ?? `${newId('mail')}@example.com`
    const password = options.password ?? PASSWORD
    const id = await users.create({ email, operator: options.operator ?? false, password })
    return { id, email, password }
  }

  const setRoles = (businessCode: string, userId: string, test: Role | null, live: Role | null) =>
    putMembership(database.db.shared, { businessCode, userId, roles: { test, live } })

  return { ...database, keyring, businesses, newBusiness, serve, newUser, setRoles }
}
