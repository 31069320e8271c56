import type { FastifyInstance } from 'fastify'
import { newId } from '#kernel/ids'
import { businessesOf, prepareBusiness } from '#modules/businesses'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { startTestServer } from '#platform/testing/test-server'
import type { Route } from '#platform/http/routes/route'
import type { AccessRecord } from '../access-log/access-record.ts'
import type { UsersDependencies } from '../dependencies.ts'
import type { Role } from '../roles/roles.ts'
import { putMembership } from '../storage/membership.repository.ts'
import { Users } from '../users.ts'
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
      readonly routesOf?: (users: Users) => readonly Route[]
      readonly pages?: (app: FastifyInstance) => void
      readonly rateLimit?: number
    } = {},
  ) => {
    const { routes = [], routesOf, pages, rateLimit = 0, ...changes } = options
    let url = ''
    const records: AccessRecord[] = []
    const users = new Users({
      db: database.db,
      keyring,
      businesses,
      publicUrl: () => url,
      oidc: undefined,
      mailer: undefined,
      log: createLog({ level: 'silent' }),
      recordAccess: async (record) => void records.push(record),
      operatorLog: { page: async (query) => query, export: async function* () {} },
      ...changes,
    })
    const server = await startTestServer({
      routes: [...routes, ...(routesOf?.(users) ?? [])],
      authenticate: users.authenticate,
      plainRoutes: (app) => {
        users.sessionApi(app)
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
