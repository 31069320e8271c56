import Type, { type Static } from 'typebox'
import {
  Amount,
  MetadataBody,
  Nullable,
  OneOf,
  strictObject,
  Text,
  ReferenceId,
} from '#platform/http/validation/schemas'
import { TAX_BEHAVIORS } from '#modules/taxes'
import { PRICE_MODELS } from '../model/pricing.ts'

const MAX_TIERS = 100

export const NewProductSchema = strictObject(
  {
    name: Text({ max: 255 }),
    description: Type.Optional(Text({ max: 4_096 })),
    tax_category: Type.Optional(Text({ max: 255, description: 'Default standard. It cannot be changed.' })),
    unit_label: Type.Optional(Text({ max: 255, description: 'What one unit is called, such as seat.' })),
    reference_id: Type.Optional(ReferenceId),
    metadata: MetadataBody(),
  },
  { title: 'NewProduct' },
)
export type NewProduct = Static<typeof NewProductSchema>

export const ProductEditSchema = strictObject(
  {
    name: Type.Optional(Text({ max: 255 })),
    description: Type.Optional(Nullable(Text({ max: 4_096 }))),
    unit_label: Type.Optional(Nullable(Text({ max: 255 }))),
    metadata: MetadataBody(),
  },
  { title: 'ProductEdit' },
)
export type ProductEdit = Static<typeof ProductEditSchema>

const UnitAmount = Amount({ description: 'Up to 12 decimals, not negative.' })

const Tier = strictObject(
  {
    up_to: Nullable(
      Amount({ description: 'The last quantity of the tier. Null in the last tier, and only there.' }),
    ),
    unit_amount: UnitAmount,
    flat_amount: Type.Optional(Nullable(Amount({ description: 'Added once the tier is entered.' }))),
  },
  { title: 'NewPriceTier' },
)

const pricing = {
  unit_amount: Type.Optional(UnitAmount),
  package_size: Type.Optional(
    Type.Integer({ minimum: 1, description: 'With model package: how many units one package holds.' }),
  ),
  tiers: Type.Optional(
    Type.Array(Tier, {
      minItems: 1,
      maxItems: MAX_TIERS,
      description: 'With model volume or graduated.',
    }),
  ),
}

const texts = {
  label: Type.Optional(Text({ max: 255, description: "Of order lines. Default the product's name." })),
  tax_behavior: Type.Optional(OneOf(TAX_BEHAVIORS, { description: 'Default exclusive.' })),
  reference_id: Type.Optional(ReferenceId),
  metadata: MetadataBody(),
}

export const NewPriceSchema = strictObject(
  {
    product_id: Text({ max: 255 }),
    currency: Text({ max: 255 }),
    model: OneOf(PRICE_MODELS),
    ...pricing,
    ...texts,
  },
  { title: 'NewPrice' },
)
export type NewPrice = Static<typeof NewPriceSchema>

export const NewVersionSchema = strictObject(
  { model: Type.Optional(OneOf(PRICE_MODELS)), ...pricing, ...texts },
  { title: 'NewPriceVersion' },
)
export type NewVersion = Static<typeof NewVersionSchema>
