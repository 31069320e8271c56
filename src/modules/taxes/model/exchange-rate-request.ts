import Type, { type Static } from 'typebox'
import { Amount, CurrencyCode, DateOnly, strictObject } from '#platform/http/validation/schemas'

const MAX_RATES = 1_000

export const NewExchangeRatesSchema = Type.Array(
  strictObject(
    {
      date: DateOnly({ description: 'From which it is used, for up to seven days.' }),
      base: CurrencyCode(),
      quote: CurrencyCode(),
      rate: Amount({ description: 'One unit of base in quote: more than 0, with up to 12 decimals.' }),
    },
    { title: 'NewExchangeRate' },
  ),
  { minItems: 1, maxItems: MAX_RATES },
)
export type NewExchangeRates = Static<typeof NewExchangeRatesSchema>
