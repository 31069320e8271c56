import { SCOPES } from '#platform/http/routes/route'
import { violates } from '#platform/postgres/database-errors'
import { hashOfApiKey } from '../model/api-key.ts'
import type { NewBusiness } from '../model/business.ts'
import type { BusinessesDependencies } from '../dependencies.ts'
import { insertBusiness } from '../storage/repository.ts'
import { secretBinding } from '../webhook-secrets/webhook-secret.ts'

export async function createBusiness(
  { db, keyring }: BusinessesDependencies,
  business: NewBusiness,
): Promise<void> {
  const { test, live } = business
  const sealedSecrets = {
    test: keyring.seal(test.webhookSecret, secretBinding(test.businessId)),
    live: keyring.seal(live.webhookSecret, secretBinding(live.businessId)),
  }
  const keyHash = hashOfApiKey(business.apiKey)
  await retryOnTakenNumber(() =>
    insertBusiness(db.shared, { ...business, sealedSecrets, keyHash, scopes: SCOPES }),
  )
}

/** Each try takes the next number, which another new business may have taken meanwhile. */
const MAX_TRIES = 20

async function retryOnTakenNumber(insert: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert()
    } catch (error) {
      if (attempt === MAX_TRIES || !violates(error, 'businesses_number_key')) throw error
    }
  }
}
