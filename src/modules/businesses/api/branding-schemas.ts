import Type from 'typebox'
import { Nullable, Resource, strictObject } from '#platform/http/validation/schemas'
import { BrandingEditSchema } from '../branding/branding-edit.ts'
import { NAMED_WALLETS } from '../model/branding.ts'

export const BrandingBody = strictObject({ branding: BrandingEditSchema })

const shown = Nullable(Type.String())

const BrandingSchema = Resource('Branding', {
  display_name: shown,
  logo: Nullable(Type.String({ description: 'A data URL' })),
  color: shown,
  email: shown,
  phone: shown,
  website: shown,
  terms_url: shown,
  privacy_url: shown,
  wallet_names: Type.Object(Object.fromEntries(NAMED_WALLETS.map((wallet) => [wallet, shown]))),
})

export const BrandingData = Type.Object({ branding: BrandingSchema })
