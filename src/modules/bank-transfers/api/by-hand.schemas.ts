import Type from 'typebox'
import { InvoiceSchema } from '#modules/invoices'
import { OrderSchema, TransactionSchema } from '#modules/payments'
import { strictObject, Text } from '#platform/http/validation/schemas'
import { NewPaymentSchema, NewRepaymentSchema } from '../model/by-hand-requests.ts'

export const UuidParams = Type.Object({ uuid: Text({ max: 255 }) })
export const NumberParams = Type.Object({ number: Text({ max: 255 }) })

export const RecordPaymentBody = strictObject({ payment: NewPaymentSchema })

export const RecordRepaymentBody = strictObject({ repayment: NewRepaymentSchema })

export const MoveOverpaymentBody = strictObject({ plan_id: Text({ max: 255 }) })

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
