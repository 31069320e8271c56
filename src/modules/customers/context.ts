import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { CustomersDependencies } from './dependencies.ts'
import type { Customer } from './model/customer.ts'
import type { PaymentToken } from './model/payment-token.ts'

export interface CustomerView {
  readonly customer: Customer
  readonly defaultToken: PaymentToken | undefined
  readonly at: Instant
}

export interface TokenView {
  readonly token: PaymentToken
  readonly at: Instant
}

interface Presentation {
  readonly token: (view: TokenView) => object
  readonly tokenEvent: (view: TokenView) => object
  readonly erasure: (uuid: string, erasedAt: Instant) => object
}

/** Handles another default token of a customer in the transaction that sets it. The customer is locked. */
export type DefaultTokenHandler = (tx: Tx, customerUuid: string) => Promise<void>

/** Returns those of the customers whose default token something charges by itself. */
export type BilledCustomers = (tx: Tx, customerUuids: readonly string[]) => Promise<readonly string[]>

/** Handles cards that will expire soon, in the transaction that announces it. */
export type CardsExpiringHandler = (
  tx: Tx,
  cards: readonly { readonly token: PaymentToken; readonly at: Instant }[],
) => Promise<void>

export interface CustomersContext extends CustomersDependencies {
  readonly defaultTokenHandlers: DefaultTokenHandler[]
  readonly billedCustomers: BilledCustomers[]
  readonly expiringHandlers: CardsExpiringHandler[]
  readonly present: Presentation
}
