import { newId } from '#kernel/ids'
import { Businesses, prepareBusiness } from '#modules/businesses'
import type { Mail } from '#platform/mail/mailer'
import { createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { startTestServer } from '#platform/testing/test-server'
import type { Route } from '#platform/http/routes/route'
import type { UsersDependencies } from '../dependencies.ts'
import type { Role } from '../roles/roles.ts'
import { putMembership } from '../storage/membership.repository.ts'
import { Users } from '../users.ts'
import { createLog } from '#platform/observability/log'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery staple'

/** Users on a database of their own. Call this at the top of the file. */
export async function createFixture() {
  const database = await createTestDatabase()
  const { keyring } = createTestKeyring()
  const businesses = new Businesses({ db: database.db, keyring })

  const newBusiness = async (name = 'Acme') => {
    const business = prepareBusiness({ name })
    await businesses.create(business)
    return { code: business.code, testId: business.test.businessId, liveId: business.live.businessId }
  }

  /** A service at an address of its own. It stops when the test ends. */
  const serve = async (options: Partial<UsersDependencies> & { readonly routes?: readonly Route[] } = {}) => {
    const { routes = [], ...changes } = options
    let url = ''
    const users = new Users({
      db: database.db,
      keyring,
      businesses,
      publicUrl: () => url,
      oidc: undefined,
      mailer: undefined,
      log: createLog({ level: 'silent' }),
      ...changes,
    })
    const server = await startTestServer({
      routes: [...routes],
      authenticate: users.authenticate,
      plainRoutes: users.sessionApi,
      publicUrl: () => url,
      rateLimit: 0,
    })
    url = server.url
    return { users, server, url, browser: () => new Browser(url) }
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

export function mailbox() {
  const mails: Mail[] = []
  return { mails, mailer: { send: async (mail: Mail) => void mails.push(mail) } }
}
