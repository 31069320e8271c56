import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  MetadataOut,
  NullableString,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { NewTaxRateSchema, TaxRateEditSchema } from '../model/rate-requests.ts'

export const TaxRateSchema = Resource('TaxRate', {
  id: Type.String(),
  name: Type.String(),
  country: Type.String(),
  region: NullableString,
  category: NullableString,
  percentage: AmountOut(),
  valid_from: Type.String(),
  valid_until: NullableString,
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const TaxRateData = Type.Object({ tax_rate: TaxRateSchema })
export const IMPORT_REFUSED = {
  name: 'TaxRatesRefused',
  data: Type.Object({
    lines: Type.Optional(
      Type.Array(
        Type.Object({ line: Type.Integer({ description: 'Counted from 1.' }), reason: Type.String() }),
        {
          description: 'The first lines that are wrong, with `csv_invalid`.',
        },
      ),
    ),
  }),
}

export const TAX_RATE_REFUSED = {
  name: 'TaxRateRefused',
  data: Type.Object({
    tax_rate: Type.Optional(Type.Object({ id: Type.String() })),
    country: Type.Optional(Type.String()),
    region: Type.Optional(NullableString),
    category: Type.Optional(NullableString),
    rates: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          percentage: AmountOut(),
          valid_from: Type.String(),
          valid_until: NullableString,
        }),
        { description: 'The valid ones, to which the new one would be added.' },
      ),
    ),
    sum: Type.Optional(AmountOut({ description: 'Of all percentages, the new one included.' })),
    date: Type.Optional(Type.String({ description: 'The first day on which too many hold.' })),
  }),
}
export const TaxRatesPage = Type.Object({ tax_rates: Type.Array(TaxRateSchema), page: PageSchema })

export const CreateTaxRateBody = strictObject({ tax_rate: NewTaxRateSchema })
export const EditTaxRateBody = strictObject({ tax_rate: TaxRateEditSchema })

export const ImportedTaxRates = Resource('ImportedTaxRates', {
  created: Type.Integer(),
  unchanged: Type.Integer({ description: 'Lines that say what is stored.' }),
  dry_run: Type.Boolean(),
})
