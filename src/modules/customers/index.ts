export { type CardExpiry, expiryProblem, readExpiry } from './tokens/card-expiry.ts'
export { brandOf } from './tokens/card-number.ts'
export type { Customer } from './model/customer.ts'
export type { CustomerNote } from './model/customer-note.ts'
export { MESSAGE_KINDS, type MessageKind } from './model/message-kinds.ts'
export { requireCustomer } from './profiles/require-customer.ts'
export { customerErasure } from './profiles/customer-erasure.ts'
export { isChargeable, whyNotChargeable } from './model/payment-token.ts'
export type { PaymentToken } from './model/payment-token.ts'
export type { VerificationDetails } from './bindings/verification.ts'
export { errors as customerErrors } from './errors.ts'
export { CUSTOMERS_PERSONAL_DATA } from './storage/personal-data.ts'
export type { TokenView } from './context.ts'
export { BindRequestSchema } from './bindings/bind-request.ts'
export {
  CUSTOMER_EVENTS,
  CustomerSchema,
  type Customers,
  customersModule,
  PaymentTokenSchema,
} from './module.ts'
