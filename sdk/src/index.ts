import type { components } from './generated/api.ts'

export { Quittance } from './quittance.ts'
export { Portal, type PortalOptions } from './portal.ts'
export type { ClientOptions, LastResponse, Reply, RequestOptions } from './client.ts'
export type { SigningKey } from './signatures.ts'
export type { OrderId, TransactionId } from './resources/orders.ts'
export type { Event } from './resources/events.ts'
export { List, type Page } from './list.ts'
export { type Decimal, fromMinorUnits, toMinorUnits } from './money.ts'
export {
  type EventData,
  type EventType,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhooks.ts'
export {
  AcquirerError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorData,
  type ErrorReason,
  type ErrorType,
  InvalidRequestError,
  NotFoundError,
  PaymentDeclinedError,
  PermissionError,
  QuittanceError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts'

/** The objects of the API by name: `Schemas['Order']`. */
export type Schemas = components['schemas']
export type Order = Schemas['Order']
export type Transaction = Schemas['Transaction']
export type Customer = Schemas['Customer']
export type PaymentToken = Schemas['PaymentToken']
export type Plan = Schemas['RecurringPlan']
export type Product = Schemas['Product']
export type Price = Schemas['Price']
export type DunningPolicy = Schemas['DunningPolicy']
export type Coupon = Schemas['Coupon']
export type PromotionCode = Schemas['PromotionCode']
export type Card = Schemas['Card']
export type CardAuthorization = Schemas['CardAuthorization']
export type Wallet = Schemas['DigitalWallet']
export type WalletTransaction = Schemas['WalletTransaction']
export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['Delivery']
