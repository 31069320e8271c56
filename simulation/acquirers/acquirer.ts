import type { BookLine } from '../../src/modules/acquirers/testing/simulator.ts'
import type { ApiOrder } from './api-order.ts'
import type { AcquirerFaults } from './faults.ts'
import type { Merchant } from '../system/actors/merchant.ts'
import type { CardBehavior } from './card-behavior.ts'

export const ACQUIRERS = ['simulator', 'stripe', 'adyen', 'airwallex'] as const
export type AcquirerName = (typeof ACQUIRERS)[number]

/** The acquirer's process under kills and faults. Its books, on disk, say what truly happened to the money. */
export interface SimulatedAcquirer {
  readonly name: AcquirerName
  /** The log that it appends to, one line for each thing it books. */
  readonly log: string
  /** Whether a line of the log is a movement of money. */
  readonly isBooking: (line: string) => boolean
  /** Environment of the service. Call it after the first start. */
  readonly env: () => Readonly<Record<string, string>>
  /** Starts the process, after a kill again with the same port and books. */
  start(): Promise<void>
  kill(): Promise<void>
  setFaults(faults: AcquirerFaults): Promise<void>
  /** Connects the merchant's account, and sends notices to it unless they are not wanted. */
  connect(merchant: Merchant, options?: { readonly sendsNotices: boolean }): Promise<void>
  /** The `payment_token` of a new card of the customer. */
  newCard(customerUuid: string, behavior: CardBehavior): Promise<object>
  /** The `payment_token` of an agreement, whose payer agrees a moment later. Undefined where there are none. */
  readonly newAgreement?: () => object
  /** The methods that a payer confirms in an app, by currency. Undefined where there are none. */
  readonly wallets?: Readonly<Partial<Record<string, readonly string[]>>>
  /**
   * Forgets idempotency keys, as Stripe does after a day. Does nothing at the simulator, which keeps them, and at Adyen, which keeps
   * them for a week: only its keys prevent a second refund, and the service sends none after a week of the real clock, which a
   * simulation cannot move.
   */
  forgetKeys(): Promise<void>
  /** The books in the form of the simulator's: one line for each of our keys. */
  books(orders: readonly ApiOrder[]): Promise<BookLine[]>
}
