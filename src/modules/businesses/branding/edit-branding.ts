import { createHash } from 'node:crypto'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Database } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { untilCachesExpire } from '../authentication/lookup-cache.ts'
import { findBranding, findLogo, lockBranding, storeBranding } from '../storage/branding.repository.ts'
import { type Branding, type Logo, NAMED_WALLETS, NO_BRANDING, type WalletNames } from '../model/branding.ts'
import type { BrandingEdit } from './branding-edit.ts'
import { readImage } from './image.ts'

export interface BrandingView {
  readonly branding: Branding
  readonly logo: Logo | undefined
}

const DATA_URL = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/
/** The bound of reference/pages#branding. */
export const MAX_LOGO_BYTES = 256 * 1024

export function showBranding(db: Database, { businessId }: Caller): Promise<BrandingView> {
  return db.transact(businessId, async (tx) => ({
    branding: (await findBranding(tx)) ?? NO_BRANDING,
    logo: await findLogo(tx),
  }))
}

/** Resolves once every process shows the new branding. */
export async function editBranding(db: Database, caller: Caller, edit: BrandingEdit): Promise<BrandingView> {
  const logo = typeof edit.logo === 'string' ? readLogo(edit.logo) : edit.logo
  const edited = await once(db, caller, async (tx) => {
    await lockBranding(tx)
    const branding = withEdit((await findBranding(tx)) ?? NO_BRANDING, edit)
    await storeBranding(tx, branding, logo)
    return { branding, logo: await findLogo(tx) }
  })
  await untilCachesExpire()
  return edited
}

function withEdit(branding: Branding, edit: BrandingEdit): Branding {
  const chosen = (sent: string | null | undefined, stored: string | null): string | null =>
    sent === undefined ? stored : sent
  return {
    displayName: chosen(edit.display_name, branding.displayName),
    color: chosen(edit.color, branding.color)?.toLowerCase() ?? null,
    email: chosen(edit.email, branding.email),
    phone: chosen(edit.phone, branding.phone),
    website: chosen(edit.website, branding.website),
    termsUrl: chosen(edit.terms_url, branding.termsUrl),
    privacyUrl: chosen(edit.privacy_url, branding.privacyUrl),
    walletNames: withNames(branding.walletNames, edit.wallet_names ?? {}),
    logo: branding.logo,
  }
}

function withNames(stored: WalletNames, sent: NonNullable<BrandingEdit['wallet_names']>): WalletNames {
  const names = NAMED_WALLETS.map((wallet) => {
    const name = sent[wallet]
    return [wallet, name === undefined ? stored[wallet] : name] as const
  })
  return Object.fromEntries(names.filter(([, name]) => typeof name === 'string'))
}

function readLogo(dataUrl: string): Logo {
  const param = 'branding.logo'
  const [, said, text = ''] = DATA_URL.exec(dataUrl) ?? []
  if (said === undefined) {
    throw errors.logo_invalid({ param, message: 'The logo must be a data URL with base64.' })
  }
  const content = Buffer.from(text, 'base64')
  if (content.length > MAX_LOGO_BYTES) {
    throw errors.logo_invalid({ param, message: 'The logo must be at most 256 kB.' })
  }
  const image = readImage(content)
  if ('problem' in image) throw errors.logo_invalid({ param, message: `The logo ${image.problem}.` })
  if (image.type !== said) {
    throw errors.logo_invalid({ param, message: `The logo is ${image.type}, but its data URL says ${said}.` })
  }
  return { type: image.type, hash: createHash('sha256').update(content).digest('hex'), content }
}
