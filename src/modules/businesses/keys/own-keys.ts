import Type, { type Static } from 'typebox'
import { realClock } from '#kernel/clock'
import { errorOf, throwIfRefused } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type GrantableScope, SCOPES } from '#platform/http/routes/route'
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
import { decideExpiry, refuseWiderScopes } from './decide-own-key.ts'

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
  throwIfRefused(errors, refuseWiderScopes(caller.scopes ?? new Set(), request.scopes))
  return onceShowingSecret(
    db,
    caller,
    async () => '',
    async (tx) => {
      const appId = await findAppForKey(tx, environment, caller.appId)
      if (appId === undefined) throw new Error(`the business ${tx.businessId} has no app`)
      const secret = newApiKey(environment)
      const createdAt = realClock.now()
      const expiry = decideExpiry(request.expires_in, createdAt)
      if ('refused' in expiry) throw errorOf(errors, expiry)
      const key = {
        keyId: newId('key'),
        hash: hashOfApiKey(secret),
        appId,
        environment,
        name: request.name,
        scopes: [...new Set(request.scopes)],
        createdAt,
        expiresAt: expiry.expiresAt,
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
