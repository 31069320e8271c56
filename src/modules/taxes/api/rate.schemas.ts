import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  Amount,
  AmountOut,
  Country,
  DateOnly,
  MetadataBody,
  MetadataOut,
  Nullable,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'

const MAX_CSV = 1_000_000
const NullableString = Nullable(Type.String())

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

const ValidUntil = Type.Optional(Nullable(DateOnly({ description: 'Inclusive. Default without end.' })))

export const CreateTaxRateBody = strictObject({
  tax_rate: strictObject(
    {
      name: Text({ max: 255, description: 'What lines of orders and documents call it.' }),
      country: Country,
      region: Type.Optional(Nullable(Text({ max: 255, description: 'Default the whole country.' }))),
      category: Type.Optional(
        Nullable(Text({ max: 255, description: 'The tax_category of products. Default all.' })),
      ),
      percentage: Amount({ description: 'From 0 to 100, with up to 6 decimals.' }),
      valid_from: DateOnly({ description: 'Inclusive.' }),
      valid_until: ValidUntil,
      adds: Type.Optional(
        Type.Boolean({
          description: 'Whether lines pay it besides other general rates of the country and category.',
        }),
      ),
      replaces: Type.Optional(
        Text({ max: 64, description: 'The id of a rate that ends on the day before valid_from.' }),
      ),
      reference_id: Type.Optional(
        Text({ max: 255, description: 'Your own id, unique among objects of this kind.' }),
      ),
      metadata: MetadataBody(),
    },
    { title: 'NewTaxRate' },
  ),
})

export const EditTaxRateBody = strictObject({
  tax_rate: strictObject({ valid_until: ValidUntil }, { title: 'TaxRateEdit' }),
})

export const ImportTaxRatesBody = strictObject({
  csv: Text({
    max: MAX_CSV,
    description:
      'A header with the names of the members, then a rate a line: name, country, percentage and valid_from, and any of region, category, valid_until and adds.',
  }),
  dry_run: Type.Optional(Type.Boolean({ description: 'Checks and stores nothing.' })),
})

export const ImportedTaxRates = Resource('ImportedTaxRates', {
  created: Type.Integer(),
  unchanged: Type.Integer({ description: 'Lines that say what is stored.' }),
  dry_run: Type.Boolean(),
})
