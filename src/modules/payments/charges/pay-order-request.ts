import Type, { type Static } from 'typebox'
import { PAYER_DEVICES, WALLET_METHODS } from '#modules/acquirers'
import { Amount, HttpUrl, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { OrderIdentifiersSchema } from '../model/order-requests.ts'

export const REFERENCE_PARAM = 'transaction.reference_id'

const PaymentBody = strictObject({
  type: OneOf(['Sales', 'Authorization']),
  amount: Type.Optional(Amount({ description: 'Default: all that is left.' })),
  payment_token: Type.Optional(Text({ max: 255, description: 'A stored token. Else payment_method.' })),
  payment_method: Type.Optional(
    OneOf(WALLET_METHODS, {
      description: 'The payer confirms in an app. Sales only, without payment_token.',
    }),
  ),
  return_url: Type.Optional(
    HttpUrl({
      description:
        'With payment_method: where our page sends the payer in the end, instead of the return_url of the order.',
    }),
  ),
  payer_device: Type.Optional(
    OneOf(PAYER_DEVICES, {
      description: 'With payment_method: a desktop gets a code to scan, a phone the app. Default desktop.',
    }),
  ),
  reference_id: Type.Optional(Text({ max: 255, description: 'Your unique id of the transaction.' })),
})
export const PayOrderBody = strictObject({ order: OrderIdentifiersSchema, transaction: PaymentBody })
export type PayOrderRequest = Static<typeof PayOrderBody>
