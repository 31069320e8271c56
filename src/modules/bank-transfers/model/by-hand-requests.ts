import Type, { type Static } from 'typebox'
import { Amount, DateOnly, OneOf, strictObject, Text } from '#platform/http/validation/schemas'

const METHODS = ['cash', 'cheque', 'bank_transfer', 'other'] as const
const MAX_NOTE = 1_000
const MAX_INVOICES = 100

const ValueDate = Type.Optional(
  DateOnly({
    description: "When the money moved, from 2000-01-01 to today in the business's zone. Default today.",
  }),
)
const Reference = Type.Optional(Text({ max: 255, description: 'Such as the number of the cheque.' }))
const Note = Type.Optional(Text({ max: MAX_NOTE }))

export const NewPaymentSchema = strictObject(
  {
    amount: Type.Optional(
      Amount({
        description: 'What arrived, be it less or more than is due. Default what is due, less the fee.',
      }),
    ),
    fee: Type.Optional(
      Amount({ description: 'What the bank kept. It counts as paid, too, in the same transaction.' }),
    ),
    method: OneOf(METHODS),
    value_date: ValueDate,
    reference: Reference,
    note: Note,
  },
  { title: 'NewPaymentByHand' },
)
export type NewPayment = Static<typeof NewPaymentSchema>

export const NewRepaymentSchema = strictObject(
  {
    amount: Type.Optional(Amount({ description: 'Default all that is over-paid.' })),
    value_date: ValueDate,
    method: Type.Optional(OneOf(METHODS, { description: 'Default as it was paid.' })),
    reference: Reference,
    note: Note,
  },
  { title: 'NewRepayment' },
)
export type NewRepayment = Static<typeof NewRepaymentSchema>

export const WriteOffSchema = strictObject({
  amount: Type.Optional(Amount({ description: 'Default all that is due.' })),
  reason: Text({ max: 500 }),
})
export type WriteOffRequest = Static<typeof WriteOffSchema>

export const MatchEntryBody = strictObject({
  invoices: Type.Array(
    strictObject({ id: Text({ max: 255 }), amount: Amount({ description: 'All sum to the bank entry.' }) }),
    { minItems: 1, maxItems: MAX_INVOICES },
  ),
})
export type MatchRequest = Static<typeof MatchEntryBody>
