import type { Static } from 'typebox'
import { expect } from 'vitest'
import { realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { Acquirer } from '#modules/acquirers'
import type { Caller, Environment } from '#platform/caller'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import type { Database } from '#platform/postgres/database'
import { EventLog } from '#platform/events/events'
import type { PageRequest } from '#platform/http/validation/list'
import { CannotDecrypt } from '#platform/security/keyring'
import { createLog } from '#platform/observability/log'
import { advance } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventTypesOf } from '#platform/testing/events'
import { rendered } from '#platform/testing/requests'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { cardRequest, customersOf, newCustomer } from '../../customers/testing/fixture.ts'
import { END_OPERATION_LEASES } from '../storage/operation.repository.ts'
import type { LostPeriod, PaymentsDependencies } from '../dependencies.ts'
import type { OrderChange } from '../model/order-change.ts'
import { withCurrentState } from '../api/current-state.ts'
import { renderOrder, renderOrdersPage, renderOrderWithLinks, renderTransactionsPage } from '../api/render.ts'
import { renderOrderVoid, renderPayment, renderTransactionWithOrder } from '../api/replies.ts'
import type { OrderInEvent, OrderWithLinksData, TransactionData } from '../api/schemas.ts'
import type { PayOrderRequest } from '../charges/pay-order-request.ts'
import { payOrder } from '../charges/pay-order.ts'
import type { PaymentsContext } from '../context.ts'
import { capture } from '../follow-ups/capture.ts'
import { refund } from '../follow-ups/refund.ts'
import { paymentJobs } from '../jobs.ts'
import { contextOf, useCasesOf } from '../module.ts'
import { checkOrder } from '../orders/check-order.ts'
import { createOrder } from '../orders/create-order.ts'
import { ordersOfPage } from '../orders/list-orders.ts'
import { resolveByHand } from '../resolver/resolve-by-hand.ts'
import { orderRows, transactionRows } from '../spreadsheets/read-rows.ts'
import { transactionsOfPage } from '../transactions/list-transactions.ts'
import { searchPayments } from '../transactions/search-payments.ts'
import { voidOrder as voidOrderOf } from '../voids/void-order.ts'
import { voidTransaction } from '../follow-ups/void-transaction.ts'
import type { CreateOrderRequest, FollowUpRequest } from '../model/order-requests.ts'

export { TRANSACTION_COLUMNS } from '../api/spreadsheets.ts'
export { verifyPayments } from '../audit/verify.ts'

const ZONE = 'Asia/Hong_Kong'

export function paymentsOf(deps: PaymentsDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: PaymentsContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  const refreshed =
    <Args extends unknown[], Result>(
      useCase: (ctx: PaymentsContext, caller: Caller, ...args: Args) => Promise<Result>,
    ) =>
    (caller: Caller, ...args: Args): Promise<Result> =>
      withCurrentState(ctx, caller, useCase(ctx, caller, ...args))
  return {
    ctx,
    ...useCasesOf(ctx),
    jobs: paymentJobs(ctx),
    search: searchPayments,
    renderOrder,
    createOrder: rendered(bind(createOrder), renderOrderWithLinks),
    checkOrder: rendered(bind(checkOrder), renderOrderWithLinks),
    payOrder: rendered(refreshed(payOrder), renderPayment),
    capture: rendered(refreshed(capture), renderPayment),
    refund: rendered(refreshed(refund), renderPayment),
    voidTransaction: rendered(refreshed(voidTransaction), renderPayment),
    voidOrder: rendered(refreshed(voidOrderOf), renderOrderVoid),
    orderRows: bind(orderRows),
    transactionRows: bind(transactionRows),
    resolveByHand: rendered(bind(resolveByHand), renderTransactionWithOrder),
    ordersPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderOrdersPage(request, await ordersOfPage(ctx, caller, filter, request)),
    transactionsPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderTransactionsPage(request, await transactionsOfPage(ctx, caller, filter, request)),
  }
}

interface FixtureOptions {
  readonly timeZone?: string
  readonly silenceMs?: number
  readonly open?: (url: string) => Promise<Database>
  readonly acquirers?: ReturnType<typeof simulatedAcquirers>
}

export async function createFixture(options: FixtureOptions = {}) {
  const { timeZone = ZONE } = options
  const database = await createTestDatabase()
  const db = (await options.open?.(database.url)) ?? database.db
  const { acquirer: real, ...simulated } = await createTestAcquirer({
    silenceMs: options.silenceMs ?? 1_500,
  })
  const between: {
    acquirer: Acquirer
    hasKey: boolean
    environment: Environment
    lost: readonly LostPeriod[]
  } = {
    acquirer: real,
    hasKey: true,
    environment: 'test',
    lost: [],
  }
  const logged: string[] = []
  const acquirers = options.acquirers ?? simulatedAcquirers(() => between.acquirer)
  const businesses = { profile: async () => ({ timeZone, environment: between.environment }) }
  const events = new EventLog()
  const keyring = {
    derivedKeys: () => [],
    seal: (plain: string) => plain,
    open: (sealed: string) => {
      if (!between.hasKey) throw new CannotDecrypt('its key is lost')
      return sealed
    },
  }
  const customers = customersOf({
    db,
    events,
    acquirers,
    businesses,
    keyring,
    links: { make: (link) => `http://127.0.0.1/${link.purpose}/${link.id}` },
  })
  const payments = paymentsOf({
    db,
    events,
    customers,
    acquirers,
    businesses,
    links: { make: (link) => `http://127.0.0.1/${link.purpose}/${link.id}` },
    keyring,
    mayReceiveWebhooks: (url) => !url.includes('//localhost'),
    recoveries: { periods: () => between.lost },
    log: createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } }),
  })
  const jobs = [...payments.jobs, ...customers.jobs]
  const changes: OrderChange[] = []
  payments.onOrdersChanged(async (_tx, more) => void changes.push(...more))
  const fixture = {
    ...database,
    db,
    ...simulated,
    payments,
    acquirers,
    customers,
    real,
    between,
    changes,
    logged,
    newMerchant: async (number = '4242424242424242') => {
      const { businessId, caller } = await createTestBusiness(database, {
        offsetMs: untilNoonMs(timeZone),
        timeZone,
      })
      const { uuid: customerUuid } = await newCustomer({ customers }, caller)
      const merchant = { businessId, caller, customerUuid, token: '' }
      return { ...merchant, token: await bind(merchant, number) }
    },
    endLeases: () => releaseDeadLeases(database.url, [END_OPERATION_LEASES]),
    bind: (merchant: Merchant, number: string) => bind(merchant, number),
    advance: (businessId: string, by: Temporal.DurationLike): Promise<void> =>
      advance(db, jobs, businessId, by),
    events: (businessId: string, objectId: string): Promise<string[]> =>
      eventTypesOf(db, businessId, objectId),
  }

  async function bind(merchant: Merchant, number: string): Promise<string> {
    const isWallet = number === 'WalletAPayAutoDebit' || number === 'WalletBAutoDebit'
    const { payment_token: token } = await customers.bind(
      merchant.caller,
      merchant.customerUuid,
      isWallet ? { token_type: number } : cardRequest(number),
    )
    return token.token
  }
  return fixture
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

export interface Merchant {
  readonly businessId: string
  readonly caller: Caller
  readonly customerUuid: string
  readonly token: string
}

/** Money is a number in JSON. */
export type AsJson<T> = unknown extends T
  ? number
  : T extends readonly (infer Item)[]
    ? AsJson<Item>[]
    : T extends object
      ? { [Member in keyof T]: AsJson<T[Member]> }
      : T

export type ShownOrder = AsJson<Static<typeof OrderInEvent>>
export type Reply = AsJson<
  Omit<Static<typeof TransactionData>, 'order'> & Omit<Static<typeof OrderWithLinksData>, 'order'>
> & { order: ShownOrder }

export function asReply(data: object): Reply {
  return JSON.parse(JSON.stringify(data)) as Reply
}

export async function newOrder(
  fixture: Fixture,
  merchant: Merchant,
  order: Partial<CreateOrderRequest> = {},
): Promise<ShownOrder> {
  const request = { reference_number: newId('ref'), currency: 'HKD', initial_total: 100, ...order }
  return asReply(await fixture.payments.createOrder(merchant.caller, request, false)).order
}

type PaymentRequest = PayOrderRequest['transaction']

export async function pay(
  fixture: Fixture,
  merchant: Merchant,
  number: string,
  transaction: Partial<Omit<PaymentRequest, 'payment_token'>> & {
    readonly payment_token?: string | undefined
  } = {},
): Promise<Reply> {
  const { payment_token, ...others } = { payment_token: merchant.token, ...transaction }
  const body: PaymentRequest = {
    type: 'Sales',
    ...(payment_token !== undefined && { payment_token }),
    ...others,
  }
  return asReply(await fixture.payments.payOrder(merchant.caller, { order: { number }, transaction: body }))
}

export async function check(fixture: Fixture, merchant: Merchant, number: string): Promise<ShownOrder> {
  const options = { withPaymentLink: false, withDownloadLink: false }
  return asReply(await fixture.payments.checkOrder(merchant.caller, { order: { number } }, options)).order
}

export async function followUp(
  fixture: Fixture,
  merchant: Merchant,
  operation: 'capture' | 'refund' | 'voidTransaction',
  uuid: string,
  more: Partial<FollowUpRequest> = {},
): Promise<Reply> {
  return asReply(await fixture.payments[operation](merchant.caller, { transaction: { uuid }, ...more }))
}

export async function voidOrder(fixture: Fixture, merchant: Merchant, number: string): Promise<ShownOrder> {
  return asReply(await fixture.payments.voidOrder(merchant.caller, { number })).order
}

export async function failure(promise: Promise<unknown>): Promise<RequestError & { data: Reply }> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(RequestError)
  const failed = error as RequestError
  return Object.assign(failed, { data: asReply(failed.detail.data ?? {}) })
}

/** Starts clocks at noon, so that no test of minutes or hours crosses the cut-off at midnight. */
function untilNoonMs(zone: string): number {
  const now = realClock.now().toZonedDateTimeISO(zone)
  const noon = now.add({ days: 1 }).withPlainTime('12:00')
  return noon.epochMilliseconds - now.epochMilliseconds
}
