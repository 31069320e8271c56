import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { NAMED_WALLETS } from '../model/branding.ts'
import type { BusinessProfile } from '../model/business.ts'
import type { BrandingView } from '../branding/edit-branding.ts'
import type { CreatedKey } from '../keys/own-keys.ts'
import type { OwnApiKey } from '../storage/api-key.repository.ts'
import type { ApiKeyData, ApiKeySchema, CreatedKeyData } from './api-key-schemas.ts'
import type { BrandingData } from './branding-schemas.ts'
import type { BusinessData } from './business-schemas.ts'

export function renderApiKeyData(key: OwnApiKey): Static<typeof ApiKeyData> {
  return { api_key: renderApiKey(key) }
}

export function renderCreatedKey({ key, secret }: CreatedKey): Static<typeof CreatedKeyData> {
  return { api_key: renderApiKey(key), secret }
}

export function renderApiKeysPage(request: PageRequest, found: readonly OwnApiKey[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderApiKey)
  return { api_keys: rows, page }
}

function renderApiKey(key: OwnApiKey): Static<typeof ApiKeySchema> {
  return {
    id: key.id,
    app_id: key.appId,
    name: key.name,
    scopes: [...key.scopes],
    created_at: toRfc3339(key.createdAt),
    expires_at: rfc3339OrNull(key.expiresAt),
    last_used_at: rfc3339OrNull(key.lastUsedAt),
    revoked_at: rfc3339OrNull(key.revokedAt),
  }
}

export function renderBusinessData(profile: BusinessProfile): Static<typeof BusinessData> {
  const { code, environment, name, timeZone, currency } = profile
  return { business: { code, environment, name, time_zone: timeZone, currency } }
}

export function renderBrandingData({ branding, logo }: BrandingView): Static<typeof BrandingData> {
  return {
    branding: {
      display_name: branding.displayName,
      logo: logo === undefined ? null : `data:${logo.type};base64,${logo.content.toString('base64')}`,
      color: branding.color,
      email: branding.email,
      phone: branding.phone,
      website: branding.website,
      terms_url: branding.termsUrl,
      privacy_url: branding.privacyUrl,
      wallet_names: Object.fromEntries(
        NAMED_WALLETS.map((wallet) => [wallet, branding.walletNames[wallet] ?? null]),
      ),
    },
  }
}
