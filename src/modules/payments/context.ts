import type { Currency } from '#kernel/currencies'
import type { Money } from '#kernel/money'
import { type Acquirer, acquirerErrors, type Router } from '#modules/acquirers'
import type { Batches } from '#platform/batches/batches'
import type { Caller } from '#platform/caller'
import type { Charge } from './model/charge.ts'
import type { PayOrderRequest } from './charges/pay-order-request.ts'
import type { FollowUp, Initiated } from './follow-ups/follow-up-request.ts'
import type { InitiatedOperation } from './model/operation.ts'
import type { AcquirerResult } from './outcomes/acquirer-result.ts'
import type { RequestedOrder } from './orders/read-order.ts'
import type { NewReference } from './storage/operation.repository.ts'
import type { ReadOrder } from './storage/order-read.repository.ts'
import type { UnitOfWorkContext } from './storage/payment-unit-of-work.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import type { EventCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { Order } from './model/order.ts'
import type { Transaction } from './model/transaction.ts'
import type { OrdersChangedHandler } from './model/order-change.ts'
import type { PaymentResult } from './model/payment-result.ts'

export interface Creation {
  readonly caller: Caller
  readonly cause: EventCause
  readonly order: RequestedOrder
  readonly withPaymentLink: boolean
}

export interface Payment {
  readonly caller: Caller
  readonly request: PayOrderRequest
}

export interface Recording {
  readonly initiated: InitiatedOperation
  readonly acquirerResult: AcquirerResult
  readonly charge: Charge | undefined
  readonly cause: EventCause
}

export interface CreatedOrder extends ReadOrder {
  readonly paymentLink: string | undefined
}

/** By order, what went back as credit of its plan. Orders of which nothing went back may be left out. */
export type ReadGivenCredit = (tx: Tx, orderIds: readonly string[]) => Promise<ReadonlyMap<string, Money>>

/** Requests that wait together run as one set, by the function of the same name in `sets/`. */
interface Sets {
  readonly createRequestedOrders: Batches<Creation, CreatedOrder>
  readonly initiatePayments: Batches<Payment, Charge>
  readonly initiateFollowUps: Batches<FollowUp, Initiated>
  readonly recordForCallers: Batches<Recording, PaymentResult>
  readonly storeReferences: Batches<NewReference, boolean>
}

export interface PaymentsContext extends PaymentsDependencies, UnitOfWorkContext {
  readonly givenCreditReaders: ReadGivenCredit[]
  readonly sets: Sets
  readonly changeHandlers: OrdersChangedHandler[]
}

/** Only orders of plans give credit, so others are not asked about. */
export async function givenCreditOf(
  ctx: PaymentsContext,
  tx: Tx,
  orders: Iterable<Pick<Order, 'id' | 'type'>>,
): Promise<ReadonlyMap<string, Money>> {
  const ids = [...orders].filter(({ type }) => type === 'recurring').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const given = await Promise.all(ctx.givenCreditReaders.map((read) => read(tx, ids)))
  return new Map(given.flatMap((one) => [...one]))
}

export function acquirerOf(
  ctx: PaymentsContext,
  businessId: string,
  { acquirerAccountId }: Pick<Transaction, 'acquirerAccountId'>,
): Promise<Acquirer> {
  return ctx.acquirers.open(businessId, acquirerAccountId)
}

export async function routerOf(ctx: PaymentsContext, businessId: string): Promise<Router> {
  const { environment } = await ctx.businesses.profile(businessId)
  return ctx.acquirers.router({ businessId, environment })
}

export async function requirePaymentPage(
  ctx: PaymentsContext,
  businessId: string,
  currency: Currency,
): Promise<void> {
  const router = await routerOf(ctx, businessId)
  if (router.hasPageFor(currency)) return
  throw acquirerErrors.acquirer_not_configured(
    router.first === null
      ? {}
      : { message: `No acquirer account takes payments in ${currency} on a payment page.` },
  )
}

export async function requireAcquirer(ctx: PaymentsContext, businessId: string): Promise<void> {
  const { first } = await routerOf(ctx, businessId)
  if (first === null) throw acquirerErrors.acquirer_not_configured()
}
