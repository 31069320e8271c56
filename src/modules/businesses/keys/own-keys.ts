import Type, { type Static } from 'typebox'
import { type Instant, realClock } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import { filterCondition } from '#platform/filter/filter-condition'
import { type GrantableScope, type Scope, SCOPES } from '#platform/http/routes/route'
import type { PageRequest } from '#platform/http/validation/list'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { onceShowingSecret } from '#platform/idempotency/shown-secret'
import type { Database } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { untilCachesExpire } from '../authentication/lookup-cache.ts'
import {
  API_KEY_FIELDS,
  findAppForKey,
  listOwnKeys,
  type OwnApiKey,
  markOwnKeyRevoked,
} from '../storage/api-key.repository.ts'
import { insertApiKey } from '../storage/repository.ts'
import { hashOfApiKey, newApiKey } from '../model/api-key.ts'
import { MAX_ACTIVE_KEYS } from './create-api-key.ts'

const ScopeWord = OneOf(SCOPES as readonly [GrantableScope, ...GrantableScope[]])

export const OwnKeyRequestSchema = strictObject(
  {
    name: Text({ max: 100 }),
    scopes: Type.Array(ScopeWord, {
      minItems: 1,
      maxItems: SCOPES.length,
      description: 'Only scopes that you have yourself.',
    }),
    expires_in: Type.Optional(
      Text({ max: 64, description: 'ISO 8601 duration, such as P90D. Without it the key never expires.' }),
    ),
  },
  { title: 'NewApiKey' },
)
export type OwnKeyRequest = Static<typeof OwnKeyRequestSchema>

export async function ownKeysOfPage(
  db: Database,
  { businessId, environment }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<OwnApiKey[]> {
  const condition = filterCondition(filter, API_KEY_FIELDS, 'UTC')
  return db.transact(businessId, (tx) => listOwnKeys(tx, environment, condition, request), {
    isSearch: true,
  })
}

export interface CreatedKey {
  readonly key: OwnApiKey
  readonly secret: string
}

/** A replay cannot show the key again, because only its hash is stored: its `secret` is empty. */
export async function createOwnKey(
  db: Database,
  caller: Caller,
  request: OwnKeyRequest,
): Promise<CreatedKey> {
  const { environment } = caller
  refuseWiderScopes(caller, request.scopes)
  return onceShowingSecret(
    db,
    caller,
    async () => '',
    async (tx) => {
      const appId = await findAppForKey(tx, environment, caller.appId)
      if (appId === undefined) throw new Error(`the business ${tx.businessId} has no app`)
      const secret = newApiKey(environment)
      const createdAt = realClock.now()
      const key = {
        keyId: newId('key'),
        hash: hashOfApiKey(secret),
        appId,
        environment,
        name: request.name,
        scopes: [...new Set(request.scopes)],
        createdAt,
        expiresAt: request.expires_in === undefined ? null : expiryOf(request.expires_in, createdAt),
      }
      if (!(await insertApiKey(tx, key, MAX_ACTIVE_KEYS))) throw errors.too_many_api_keys()
      const created = { ...key, id: key.keyId, revokedAt: null, lastUsedAt: null }
      return { holder: key.keyId, secret, value: (shown) => ({ key: created, secret: shown ?? '' }) }
    },
    { usesSharedTables: true },
  )
}

export async function revokeOwnKey(db: Database, caller: Caller, keyId: string): Promise<OwnApiKey> {
  const key = await db.transact(caller.businessId, (tx) => markOwnKeyRevoked(tx, keyId), {
    usesSharedTables: true,
  })
  if (key === undefined) throw errors.api_key_not_found()
  await untilCachesExpire()
  return key
}

function refuseWiderScopes({ scopes: own = new Set() }: Caller, wanted: readonly Scope[]): void {
  const missing = wanted.find((scope) => !holdsScope(own, scope))
  if (missing === undefined) return
  throw errors.scope_not_own({
    param: 'api_key.scopes',
    message: `api_key.scopes has ${missing}, which you do not have yourself.`,
  })
}

function expiryOf(text: string, from: Instant): Instant {
  const duration = parseDuration(text)
  const problem = isDurationProblem(duration) ? duration.message : 'must be longer than zero'
  if (isDurationProblem(duration) || duration.sign === 0) {
    throw errors.expires_in_invalid({
      param: 'api_key.expires_in',
      message: `api_key.expires_in ${problem}.`,
    })
  }
  return addDuration(from, duration, 'UTC')
}
