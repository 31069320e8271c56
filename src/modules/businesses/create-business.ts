import pg from 'pg'
import { SCOPES } from '#platform/http/route'
import { hashOfApiKey } from './api-key.ts'
import type { NewBusiness } from './business.ts'
import type { BusinessesNeeds } from './needs.ts'
import { insertBusiness } from './repository.ts'
import { secretBinding } from './webhook-secret.ts'

/** Stores what `prepareBusiness` made. */
export async function createBusiness({ db, keyring }: BusinessesNeeds, business: NewBusiness): Promise<void> {
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

/** Two businesses that are made at the same moment draw the same number. */
async function retryOnTakenNumber(insert: () => Promise<void>): Promise<void> {
  const UNIQUE_VIOLATION = '23505'
  const MOST_TRIES = 20
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert()
    } catch (error) {
      const isTaken =
        error instanceof pg.DatabaseError &&
        error.code === UNIQUE_VIOLATION &&
        error.constraint === 'businesses_number_key'
      if (!isTaken || attempt === MOST_TRIES) throw error
    }
  }
}
