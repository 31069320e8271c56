import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  Amount,
  AmountOut,
  MetadataBody,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { TAX_BEHAVIORS } from '#modules/taxes'
import { PRICE_MODELS } from '../../model/pricing.ts'

const MAX_TIERS = 100
const NullableString = Nullable(Type.String())

export const ProductSchema = Resource('Product', {
  id: Type.String(),
  name: Type.String(),
  description: NullableString,
  tax_category: Type.String(),
  unit_label: NullableString,
  state: OneOf(['active', 'archived']),
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const PriceSchema = Resource('Price', {
  id: Type.String(),
  product_id: Nullable(
    Type.String({ description: 'Null for a recurring item that was made without a product.' }),
  ),
  label: Type.String(),
  currency: Type.String(),
  model: OneOf(PRICE_MODELS),
  unit_amount: Nullable(AmountOut({ description: 'Null with tiers.' })),
  package_size: Nullable(Type.Integer()),
  tiers: Nullable(
    Type.Array(
      Type.Object({
        up_to: Nullable(AmountOut({ description: 'The last quantity of the tier; null without an end.' })),
        unit_amount: AmountOut(),
        flat_amount: Nullable(AmountOut()),
      }),
    ),
  ),
  tax_behavior: OneOf(TAX_BEHAVIORS),
  version: Type.Integer(),
  state: OneOf(['active', 'superseded']),
  superseded_by: NullableString,
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
})

export const ProductData = Type.Object({ product: ProductSchema })
export const PriceData = Type.Object({ price: PriceSchema })

const ReferenceId = Type.Optional(
  Text({ max: 255, description: 'Your own id, unique among objects of this kind.' }),
)

export const CreateProductBody = strictObject({
  product: strictObject(
    {
      name: Text({ max: 255 }),
      description: Type.Optional(Text({ max: 4_096 })),
      tax_category: Type.Optional(Text({ max: 255, description: 'Default standard. It cannot be changed.' })),
      unit_label: Type.Optional(Text({ max: 255, description: 'What one unit is called, such as seat.' })),
      reference_id: ReferenceId,
      metadata: MetadataBody(),
    },
    { title: 'NewProduct' },
  ),
})

export const EditProductBody = strictObject({
  product: strictObject(
    {
      name: Type.Optional(Text({ max: 255 })),
      description: Type.Optional(Nullable(Text({ max: 4_096 }))),
      unit_label: Type.Optional(Nullable(Text({ max: 255 }))),
      metadata: MetadataBody(),
    },
    { title: 'ProductEdit' },
  ),
})

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
  reference_id: ReferenceId,
  metadata: MetadataBody(),
}

export const CreatePriceBody = strictObject({
  price: strictObject(
    {
      product_id: Text({ max: 255 }),
      currency: Text({ max: 255 }),
      model: OneOf(PRICE_MODELS),
      meter_id: Type.Optional(
        Nullable(Text({ max: 255, description: 'Must be left out until there is usage.' })),
      ),
      ...pricing,
      ...texts,
    },
    { title: 'NewPrice' },
  ),
})

export const CreatePriceVersionBody = strictObject({
  price: strictObject(
    { model: Type.Optional(OneOf(PRICE_MODELS)), ...pricing, ...texts },
    { title: 'NewPriceVersion' },
  ),
})

export const ProductsPage = Type.Object({ products: Type.Array(ProductSchema), page: PageSchema })
export const PricesPage = Type.Object({ prices: Type.Array(PriceSchema), page: PageSchema })

export const PRODUCT_EXISTS = {
  name: 'ProductExists',
  data: Type.Object({ product: Type.Optional(Type.Object({ id: Type.String() })) }),
}

export const OTHER_PRICE = {
  name: 'OtherPrice',
  data: Type.Object({
    price: Type.Optional(
      Type.Object(
        { id: Type.String() },
        {
          description:
            'The price that has the `reference_id`, or that supersedes the one that was asked for.',
        },
      ),
    ),
  }),
}
