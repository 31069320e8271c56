import { realClock } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import type { SealBinding } from '#platform/security/keyring'
import { newSigningSecret, ROTATION_HOURS, validSecrets } from '#platform/security/standard-webhooks'
import type { NamedTenant } from '../model/business.ts'
import { untilCachesExpire } from '../authentication/lookup-cache.ts'
import { CommandError } from '../command-error.ts'
import type { BusinessesDependencies } from '../dependencies.ts'
import {
  findEncryptionKeyIds,
  findTenant,
  findWebhookSecrets,
  replaceWebhookSecret,
  type StoredSecrets,
} from '../storage/repository.ts'

export interface WebhookSecret {
  readonly businessId: string
  readonly webhookSecret: string
}

export function secretBinding(businessId: string): SealBinding {
  return { businessId, field: 'businesses.webhook_secret' }
}

/** Newest first: two for 24 hours after a rotation. */
export async function webhookSecrets(
  { db, keyring }: BusinessesDependencies,
  businessId: string,
): Promise<readonly string[]> {
  const valid = validSecrets(await sealedSecretsOf(db, businessId))
  return valid.map((sealed) => keyring.open(sealed, secretBinding(businessId)))
}

export async function showWebhookSecret(
  { db, keyring }: BusinessesDependencies,
  tenant: NamedTenant,
): Promise<WebhookSecret> {
  const businessId = await getTenant(db, tenant)
  const { secret } = await sealedSecretsOf(db, businessId)
  return { businessId, webhookSecret: keyring.open(secret, secretBinding(businessId)) }
}

/**
 * The previous secret continues to sign for 24 hours or until the next rotation. Resolves once every process signs with the
 * new one. Throws `CommandError`.
 */
export async function rotateWebhookSecret(
  { db, keyring }: BusinessesDependencies,
  tenant: NamedTenant,
): Promise<WebhookSecret> {
  const businessId = await getTenant(db, tenant)
  const webhookSecret = newSigningSecret()
  const sealed = keyring.seal(webhookSecret, secretBinding(businessId))
  const previousUntil = realClock.now().add({ hours: ROTATION_HOURS })
  await replaceWebhookSecret(db.shared, businessId, sealed, previousUntil)
  await untilCachesExpire()
  return { businessId, webhookSecret }
}

/**
 * Ids of the encryption keys that this database needs. Webhook secrets stand for all sealed data: every tenant has one, and
 * every rotation of keys reseals all data.
 */
export function encryptionKeysInUse(db: Database): Promise<string[]> {
  return findEncryptionKeyIds(db.shared)
}

async function getTenant(db: Database, tenant: NamedTenant): Promise<string> {
  const businessId = await findTenant(db.shared, tenant)
  if (businessId === undefined) throw new CommandError(`No business has the code ${tenant.code}.`)
  return businessId
}

async function sealedSecretsOf(db: Database, businessId: string): Promise<StoredSecrets> {
  const sealed = await findWebhookSecrets(db.shared, businessId)
  if (sealed === undefined) throw new Error(`no business ${businessId}`)
  return sealed
}
