import Type, { type Static } from 'typebox'
import {
  Amount,
  Country,
  DateOnly,
  MetadataBody,
  Nullable,
  strictObject,
  Text,
  ReferenceId,
} from '#platform/http/validation/schemas'

const MAX_CSV = 1_000_000

const ValidUntil = Type.Optional(Nullable(DateOnly({ description: 'Inclusive. Default without end.' })))

export const NewTaxRateSchema = strictObject(
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
    reference_id: Type.Optional(ReferenceId),
    metadata: MetadataBody(),
  },
  { title: 'NewTaxRate' },
)
export type NewTaxRate = Static<typeof NewTaxRateSchema>

export const TaxRateEditSchema = strictObject({ valid_until: ValidUntil }, { title: 'TaxRateEdit' })
export type TaxRateEdit = Static<typeof TaxRateEditSchema>

export const ImportTaxRatesBody = strictObject({
  csv: Text({
    max: MAX_CSV,
    description:
      'A header with the names of the members, then a rate a line: name, country, percentage and valid_from, and any of region, category, valid_until and adds.',
  }),
  dry_run: Type.Optional(Type.Boolean({ description: 'Checks and stores nothing.' })),
})
export type ImportRequest = Static<typeof ImportTaxRatesBody>
