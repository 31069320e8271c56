import { realClock } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import type { SealBinding } from '#platform/security/keyring'
import { newSigningSecret, ROTATION_HOURS, validSecrets } from '#platform/security/standard-webhooks'
import type { NamedTenant } from '../profiles/business.ts'
import { forgottenEverywhere } from '../authentication/brief-memory.ts'
import { CannotDo } from '../api/cannot-do.ts'
import type { BusinessesDependencies } from '../dependencies.ts'
import {
  findEncryptionKeyIds,
  findTenant,
  findWebhookSecrets,
  replaceWebhookSecret,
  type StoredSecrets,
} from '../storage/repository.ts'

/** The secret that signs what is sent to `notify_url` and `callback_url` (Standard Webhooks, `whsec_…`). */
export interface WebhookSecret {
  readonly businessId: string
  readonly webhookSecret: string
}

export function secretBinding(businessId: string): SealBinding {
  return { businessId, field: 'businesses.webhook_secret' }
}

/** The secrets that sign now, newest first: two for 24 hours after a rotation. */
export async function webhookSecrets(
  { db, keyring }: BusinessesDependencies,
  businessId: string,
): Promise<readonly string[]> {
  const valid = validSecrets(await sealedSecretsOf(db, businessId))
  return valid.map((sealed) => keyring.open(sealed, secretBinding(businessId)))
}

/** The newest secret. Throws `CannotDo`. */
export async function showWebhookSecret(
  { db, keyring }: BusinessesDependencies,
  tenant: NamedTenant,
): Promise<WebhookSecret> {
  const businessId = await getTenant(db, tenant)
  const { secret } = await sealedSecretsOf(db, businessId)
  return { businessId, webhookSecret: keyring.open(secret, secretBinding(businessId)) }
}

/**
 * Gives a tenant a new secret. The one until now goes on signing beside it for 24 hours, or until the next rotation. Answers
 * once every process signs with the new one. Throws `CannotDo`.
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
  await forgottenEverywhere()
  return { businessId, webhookSecret }
}

/**
 * The ids of the encryption keys without which nothing of this database can be opened. Every tenant has a webhook secret, and
 * every rotation goes over all, so that these stand for what else is sealed.
 */
export function encryptionKeysInUse(db: Database): Promise<string[]> {
  return findEncryptionKeyIds(db.shared)
}

async function getTenant(db: Database, tenant: NamedTenant): Promise<string> {
  const businessId = await findTenant(db.shared, tenant)
  if (businessId === undefined) throw new CannotDo(`There is no business ${tenant.code}.`)
  return businessId
}

async function sealedSecretsOf(db: Database, businessId: string): Promise<StoredSecrets> {
  const sealed = await findWebhookSecrets(db.shared, businessId)
  if (sealed === undefined) throw new Error(`no business ${businessId}`)
  return sealed
}
