import Type from 'typebox'
import { InvoiceSchema } from '#modules/invoices'
import { OrderSchema, TransactionSchema } from '#modules/payments'
import { Amount, DateOnly, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { METHODS } from '../outside/requests.ts'

const MAX_NOTE = 1_000

const ValueDate = Type.Optional(
  DateOnly({
    description: "When the money moved, from 2000-01-01 to today in the business's zone. Default today.",
  }),
)
const Reference = Type.Optional(Text({ max: 255, description: 'Such as the number of the cheque.' }))
const Note = Type.Optional(Text({ max: MAX_NOTE }))

export const UuidParams = Type.Object({ uuid: Text({ max: 255 }) })
export const NumberParams = Type.Object({ number: Text({ max: 255 }) })

export const RecordPaymentBody = strictObject({
  payment: strictObject(
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
  ),
})

export const RecordRepaymentBody = strictObject({
  repayment: strictObject(
    {
      amount: Type.Optional(Amount({ description: 'Default all that is over-paid.' })),
      value_date: ValueDate,
      method: Type.Optional(OneOf(METHODS, { description: 'Default as it was paid.' })),
      reference: Reference,
      note: Note,
    },
    { title: 'NewRepayment' },
  ),
})

export const MoveOverpaymentBody = strictObject({ plan_id: Text({ max: 255 }) })

export const WriteOffBody = strictObject({
  amount: Type.Optional(Amount({ description: 'Default all that is due.' })),
  reason: Text({ max: 500 }),
})

export const RecordedPaymentData = Type.Object({ invoice: InvoiceSchema, transaction: TransactionSchema })
export const UndonePaymentData = Type.Object({
  invoice: Type.Optional(InvoiceSchema),
  order: OrderSchema,
  transaction: TransactionSchema,
})
export const RecordedRepaymentData = Type.Object({
  order: OrderSchema,
  transactions: Type.Array(TransactionSchema, { description: 'A refund of each payment, newest first.' }),
})
export const MovedOverpaymentData = Type.Object({ order: OrderSchema })
export const WrittenOffData = Type.Object({ invoice: InvoiceSchema, order: OrderSchema })
