import Type from 'typebox'
import { DecimalString, strictObject, Text } from '#platform/http/validation/schemas'

export const Deposit = strictObject({
  wallet_id: Text({ max: 255 }),
  amount: DecimalString({ description: 'Of the chain’s coin, above 0.' }),
  blockchain: Type.Optional(
    Text({ max: 64, description: 'A chain of the sandbox’s own. Default the first that is configured.' }),
  ),
})
