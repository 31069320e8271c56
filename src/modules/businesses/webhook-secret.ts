import type { SealBinding } from '#platform/keyring'
import type { BusinessesNeeds } from './needs.ts'
import { getBusiness } from './look-up.ts'

export function secretBinding(businessId: string): SealBinding {
  return { businessId, field: 'businesses.webhook_secret' }
}

/** The secret that signs what is sent to `notify_url` and `callback_url` (Standard Webhooks, `whsec_…`). */
export async function webhookSecret({ db, keyring }: BusinessesNeeds, businessId: string): Promise<string> {
  const { sealedSecret } = await getBusiness(db, businessId)
  return keyring.open(sealedSecret, secretBinding(businessId))
}
