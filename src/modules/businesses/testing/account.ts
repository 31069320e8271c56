import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { Database } from '#platform/postgres/database'
import { rendered } from '#platform/testing/requests'
import { renderApiKeyData, renderApiKeysPage, renderBrandingData, renderCreatedKey } from '../api/render.ts'
import { registerPublicKey } from '../authentication/register-public-key.ts'
import { getRegisteredKey } from '../authentication/registered-key.ts'
import { removePublicKey } from '../authentication/remove-public-key.ts'
import { editBranding, showBranding } from '../branding/edit-branding.ts'
import { createOwnKey, ownKeysOfPage, revokeOwnKey } from '../keys/own-keys.ts'

export function accountOf(db: Database) {
  const bind =
    <Args extends unknown[], Result>(useCase: (db: Database, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(db, ...args)
  return {
    createKey: rendered(bind(createOwnKey), renderCreatedKey),
    revokeKey: rendered(bind(revokeOwnKey), renderApiKeyData),
    keys: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderApiKeysPage(request, await ownKeysOfPage(db, caller, filter, request)),
    registerPublicKey: bind(registerPublicKey),
    publicKey: bind(getRegisteredKey),
    removePublicKey: bind(removePublicKey),
    showBranding: rendered(bind(showBranding), renderBrandingData),
    editBranding: rendered(bind(editBranding), renderBrandingData),
  }
}
