import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  MetadataOut,
  Nullable,
  NullableString,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { TAX_BEHAVIORS } from '#modules/taxes'
import { PRICE_MODELS } from '../../model/pricing.ts'
import {
  NewPriceSchema,
  NewProductSchema,
  NewVersionSchema,
  ProductEditSchema,
} from '../../requests/products.ts'

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

export const CreateProductBody = strictObject({ product: NewProductSchema })
export const EditProductBody = strictObject({ product: ProductEditSchema })
export const CreatePriceBody = strictObject({ price: NewPriceSchema })
export const CreatePriceVersionBody = strictObject({ price: NewVersionSchema })

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
