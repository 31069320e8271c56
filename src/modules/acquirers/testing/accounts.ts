import { Writable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import type { Environment } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { SCOPES, type Scope } from '#platform/http/routes/route'
import { createServer } from '#platform/http/server'
import { createLog } from '#platform/observability/log'
import { createMetrics } from '#platform/observability/metrics'
import { Egress } from '#platform/security/egress'
import { ringKey } from '#platform/security/keyring'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { Acquirers } from '../acquirers.ts'
import { acquirerRoutes } from '../api/routes.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { noticeRoutes } from '../notices/notice-route.ts'
import { createTestAcquirer } from './acquirer.ts'
import { standInAdapter, startStandIn } from './stand-in.ts'

const PUBLIC_URL = 'https://pay.example.com'
const BASE = '/svc/account/api/v1/openapi'
export const ACCOUNTS = `${BASE}/acquirer_accounts`
export const ROUTING = `${BASE}/routing`

// Tests read responses as a client does, without the types of the service.
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = any

interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Untyped
}

export interface Tenant {
  readonly businessId: string
  readonly environment: Environment
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpReply>
  connect(members?: Record<string, unknown>): Promise<Untyped>
}

export async function createAccountsFixture(options: Partial<AcquirersDependencies> = {}) {
  const database = await createTestDatabase()
  const standIn = await startStandIn()
  const simulator = await createTestAcquirer({ silenceMs: 5_000 })
  const { keyring, rotateKeys } = createTestKeyring()
  const egress = new Egress({ allowPrivate: true })
  const environments = new Map<string, Environment>()
  const logged: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(chunk.toString())
      done()
    },
  })
  const log = createLog({ level: 'trace', destination })
  const deps: AcquirersDependencies = {
    db: database.db,
    keyring,
    egress,
    businesses: {
      profile: async (businessId) => ({
        environment: environments.get(businessId) ?? 'test',
        timeZone: 'UTC',
      }),
    },
    simulator: simulator.acquirer,
    adapters: {
      stripe: standInAdapter('stripe'),
      adyen: standInAdapter('adyen'),
      airwallex: standInAdapter('airwallex'),
    },
    publicUrl: () => PUBLIC_URL,
    registry: new Registry(),
    log,
    timeoutMs: 60_000,
    ...options,
  }
  const acquirers = new Acquirers(deps)
  const serverUrl = await serve(acquirers, log)
  cleanUp(async () => {
    await acquirers.close()
    await egress.close()
  })

  const business = async (environment: Environment = 'test', scopes: readonly Scope[] = SCOPES) => {
    const { businessId } = await createTestBusiness(database)
    environments.set(businessId, environment)
    const send: Tenant['send'] = async (method, path, body, headers) => {
      const response = await fetch(serverUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${businessId} ${environment} ${scopes.join(' ')}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      const { data } = (isJson ? JSON.parse(text) : {}) as { data?: unknown }
      return { status: response.status, headers: response.headers, text, data }
    }
    const connect: Tenant['connect'] = async (members = {}) => {
      const answer = await send('POST', ACCOUNTS, {
        acquirer_account: newAccount(standIn.url, { credentials: credentials(environment), ...members }),
      })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.data.acquirer_account
    }
    return { businessId, environment, send, connect }
  }
  return {
    ...database,
    acquirers,
    business,
    deps,
    keyring,
    logged,
    rotateKeys,
    simulator,
    serverUrl,
    standIn,
  }
}

async function serve(acquirers: Acquirers, log: AcquirersDependencies['log']): Promise<string> {
  const app = createServer({
    routes: acquirerRoutes(acquirers.context),
    plainRoutes: noticeRoutes(acquirers),
    authenticate: async ({ headers }) => {
      const [businessId, environment, ...scopes] =
        headers.authorization?.slice('Bearer '.length).split(' ') ?? []
      if (businessId === undefined) throw platformErrors.unauthenticated()
      return {
        businessId,
        businessCode: businessId,
        environment: environment as Environment,
        appId: `app ${businessId}`,
        actor: { type: 'api_key', id: `key ${businessId}` },
        scopes: new Set(scopes as Scope[]),
      }
    },
    events: {},
    catalogues: [errors.catalogue],
    isReady: async () => true,
    metrics: createMetrics(),
    log,
    rateLimit: 100_000,
    trustedProxies: ['127.0.0.1'],
    fingerprintKeys: () => [ringKey(Buffer.alloc(32, 1))],
    publicUrl: () => PUBLIC_URL,
    timeouts: { settleMs: 0 },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  cleanUp(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

export function credentials(environment: Environment = 'test', key = 'ONE_1'): Record<string, string> {
  return {
    secret_key: `sk_${environment}_${key}`,
    publishable_key: `pk_${environment}_${key}`,
    webhook_secret: `whsec_${key}`,
  }
}

export function newAccount(apiBase: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    acquirer: 'stripe',
    name: 'Stripe HK',
    credentials: credentials(),
    api_base: apiBase,
    ...members,
  }
}
