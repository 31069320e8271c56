import Type, { type Static } from 'typebox'
import { EXPECTED, HttpUrl, Nullable, strictObject, Text } from '#platform/http/validation/schemas'

/** A logo of 256 KiB has 349,528 characters in base64, after a prefix such as `data:image/png;base64,`. */
export const MAX_DATA_URL_LENGTH = 360_000

const removable = (schema: ReturnType<typeof Text | typeof HttpUrl>) => Type.Optional(Nullable(schema))
const WalletName = removable(Text({ max: 40 }))

export const BrandingEditSchema = strictObject({
  display_name: removable(Text({ max: 100, description: 'In place of the name of the business.' })),
  logo: removable(
    Text({
      max: MAX_DATA_URL_LENGTH,
      description: 'A data URL of a PNG, JPEG or WebP of up to 256 kB and 2000 pixels a side.',
    }),
  ),
  color: removable(
    Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      [EXPECTED]: 'a colour such as #1d4f8f',
      description: 'Of buttons and links. Shades are adjusted until every text is readable (WCAG AA).',
    }),
  ),
  email: removable(
    Type.String({ pattern: '^[^\\s@<>]+@[^\\s@<>]+$', maxLength: 255, [EXPECTED]: 'an e-mail address' }),
  ),
  phone: removable(
    Type.String({
      pattern: '^\\+?[0-9 ()./-]{3,40}$',
      [EXPECTED]: 'a phone number such as +852 2345 6789',
    }),
  ),
  website: removable(HttpUrl()),
  terms_url: removable(HttpUrl()),
  privacy_url: removable(HttpUrl()),
  wallet_names: Type.Optional(
    strictObject(
      { wallet_a_pay: WalletName, wallet_b: WalletName },
      { description: 'What pages and documents call the wallets.' },
    ),
  ),
})
export type BrandingEdit = Static<typeof BrandingEditSchema>
