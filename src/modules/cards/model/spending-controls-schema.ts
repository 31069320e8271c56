import Type, { type Static } from 'typebox'
import { Country, EXPECTED, OneOf, strictObject } from '#platform/http/validation/schemas'

export const COUNTED_PERIODS = ['Daily', 'Monthly', 'Lifetime'] as const

export const Mcc = Type.String({
  pattern: '^[0-9]{4}$',
  description: 'Merchant category, ISO 18245: four digits.',
  [EXPECTED]: 'a merchant category as a string of four digits, such as "5411"',
})
/** Both bounds: reference/cards#spending-controls. */
const MAX_CATEGORIES = 500
const MAX_COUNTRIES = 250
/** An empty list would decline everything. Locking the card says that better. */
const ALLOWED = { minItems: 1, description: 'At least one. If left out, everything is allowed.' }

export const SpendingControlsSchema = strictObject(
  {
    allowed_categories: Type.Optional(Type.Array(Mcc, { maxItems: MAX_CATEGORIES, ...ALLOWED })),
    blocked_categories: Type.Optional(Type.Array(Mcc, { maxItems: MAX_CATEGORIES })),
    allowed_countries: Type.Optional(Type.Array(Country, { maxItems: MAX_COUNTRIES, ...ALLOWED })),
    blocked_countries: Type.Optional(Type.Array(Country, { maxItems: MAX_COUNTRIES })),
    count_limits: Type.Optional(
      Type.Array(
        strictObject({
          period: OneOf(COUNTED_PERIODS),
          count: Type.Integer({
            minimum: 1,
            maximum: 1_000_000_000,
            description:
              'The maximum number of approvals in the period. Fully reversed authorizations do not count.',
          }),
        }),
        { maxItems: 10, description: 'At most one of each period.' },
      ),
    ),
    single_use: Type.Optional(Type.Boolean({ description: 'Whether the card allows one approval only.' })),
  },
  { title: 'SpendingControls', description: 'An edit replaces all of them.' },
)
/** A missing member restricts nothing (reference/cards#spending-controls). */
export type SpendingControls = Static<typeof SpendingControlsSchema>
