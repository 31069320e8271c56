import { pino } from 'pino'
import sql from 'sql-template-tag'
import type { Static } from 'typebox'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Acquirer } from '#modules/acquirers'
import { END_OPERATION_LEASES } from '#modules/payments'
import { catalogueModule } from '#modules/catalogue'
import { taxesModule } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { EventLog } from '#platform/events/events'
import { SuccessWithMessage } from '#platform/envelope'
import { Links } from '#platform/security/links'
import type { PageRequest } from '#platform/http/validation/list'
import { Egress } from '#platform/security/egress'
import { cleanUp } from '#platform/testing/clean-up'
import { patientEgress } from '#platform/testing/patient-egress'
import { rendered } from '#platform/testing/requests'
import type { Breach } from '#platform/verify'
import { advanceTo, freezeClock } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventsOf } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { catalogueUseCases } from '../../catalogue/testing/use-cases.ts'
import { bindCard, customersOf, newCustomer } from '../../customers/testing/fixture.ts'
import { invoicesOf, verifyInvoices } from '../../invoices/testing/fixture.ts'
import { paymentsOf } from '../../payments/testing/fixture.ts'
import type { BillingDependencies } from '../dependencies.ts'
import {
  renderCreatedPlan,
  renderPlanData,
  renderPlansPage,
  renderPreview,
  renderRecurringOrder,
} from '../api/render.ts'
import { renderPlanChange, renderPlanChangePreview } from '../api/change.render.ts'
import { attachCoupon, detachCoupon } from '../changes/attach-coupons.ts'
import { verifyBilling } from '../audit/verify.ts'
import type { BillingContext } from '../context.ts'
import { contextOf, billingModule } from '../module.ts'
import { changePlanItems, previewPlanChange, removePendingChange } from '../changes/apply-plan-change.ts'
import { changePaidFirst } from '../changes/change-paid-first.ts'
import {
  cancelAsAsked,
  cancelPlan,
  moveTrial,
  pausePlan,
  reactivatePlan,
  resumePlan,
  uncancelPlan,
} from '../lifecycle/change-lifecycle.ts'
import { retryPlan } from '../dunning/retry-plan.ts'
import {
  createPlan,
  creditPlan,
  editPlan,
  type NewCycle,
  type NewPlan,
  planById,
  plansOfPage,
  previewPlan,
  readRecurringOrder,
  searchPlans,
} from '#modules/plans'
import type { PlanData, PlanSchema } from '../api/schemas.ts'

const ZONE = 'Asia/Hong_Kong'

export const CARDS = {
  good: '4242424242424242',
  declining: '4000000000000341',
  stolen: '4000000000009979',
  silentUnbooked: '4000000000000119',
  silentBooked: '4000000000000127',
  threeDSecure: '4000002500003155',
} as const

const MAX_BINDINGS = 5

export type PlanJson = Static<typeof PlanSchema>

export interface EventJson {
  readonly type: string
  readonly at: string
  readonly data: Partial<PlanReply>
}

function billingOf(shared: Omit<BillingDependencies, 'catalogueRoutes'>) {
  const { catalogueRoutes } = catalogueModule.connect(shared)
  const deps = { ...shared, catalogueRoutes }
  const ctx = contextOf(deps)
  const { billing, jobs } = billingModule.connect(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: BillingContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    ...billing,
    ...catalogueUseCases(shared),
    jobs,
    search: searchPlans,
    create: rendered(bind(createPlan), renderCreatedPlan),
    preview: rendered(bind(previewPlan), renderPreview),
    get: rendered(bind(planById), renderPlanData),
    edit: rendered(bind(editPlan), renderPlanData),
    pause: rendered(bind(pausePlan), renderPlanData),
    resume: rendered(bind(resumePlan), renderPlanData),
    cancel: rendered(bind(cancelPlan), renderPlanData),
    change: rendered(bind(changePlanItems), renderPlanChange),
    changePaidFirst: rendered(bind(changePaidFirst), renderPlanChange),
    previewChange: rendered(bind(previewPlanChange), renderPlanChangePreview),
    removeChange: rendered(bind(removePendingChange), renderPlanData),
    retry: rendered(bind(retryPlan), renderPlanData),
    cancelAsAsked: rendered(bind(cancelAsAsked), renderPlanData),
    uncancel: rendered(bind(uncancelPlan), renderPlanData),
    reactivate: rendered(bind(reactivatePlan), renderPlanData),
    moveTrial: rendered(bind(moveTrial), renderPlanData),
    credit: rendered(bind(creditPlan), renderPlanData),
    order: rendered(bind(readRecurringOrder), (found) => renderRecurringOrder(ctx.customers, found)),
    attachCoupon: rendered(bind(attachCoupon), renderPlanData),
    detachCoupon: rendered(bind(detachCoupon), renderPlanData),
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderPlansPage(request, await plansOfPage(ctx, caller, filter, request)),
  }
}

/**
 * - `silenceMs`: After which a request that the acquirer does not answer ends.
 * - `timeZone`: Of the business that is opened next.
 */
interface FixtureOptions extends Pick<BillingDependencies, 'maxConcurrentCharges' | 'leaseRenewalMs'> {
  readonly silenceMs?: number
  readonly timeZone?: () => string
}

export async function createFixture({
  silenceMs = 1_500,
  timeZone = () => ZONE,
  ...limits
}: FixtureOptions = {}) {
  const database = await createTestDatabase()
  const simulated = await createTestAcquirer({ silenceMs })
  const { db } = database
  const between: { acquirer: Acquirer } = { acquirer: simulated.acquirer }
  const { keyring } = createTestKeyring()
  const signer = new Links(keyring, () => 'http://127.0.0.1:8080')
  const shared = {
    db,
    events: new EventLog(),
    acquirers: simulatedAcquirers(() => between.acquirer),
    businesses: {
      profile: async () => ({ timeZone: timeZone(), environment: 'test' as const }),
      logo: async () => undefined,
    },
    links: signer,
    keyring,
    mayReceiveWebhooks: (url: string) => !url.includes('127.0.0.1'),
  }
  const customers = customersOf(shared)
  const egress = new Egress({ allowPrivate: true })
  cleanUp(() => egress.close())
  const { taxes } = taxesModule.connect({ ...shared, customers, egress: patientEgress(egress) })
  const payments = paymentsOf({ ...shared, customers, log: pino({ level: 'silent' }) })
  const invoices = invoicesOf({ ...shared, customers, payments, taxes })
  const recurring = billingOf({ ...shared, ...limits, customers, payments, invoices, taxes })
  customers.onDefaultToken(recurring.handleDefaultToken)
  customers.readBilledCustomers(recurring.findBilledCustomers)
  payments.onOrdersChanged(recurring.handleOrderChanges)
  payments.readGivenCredit(recurring.givenCredit)
  payments.onOrdersChanged(invoices.handleOrderChanges)
  invoices.onPlanDocuments(recurring.handleDocuments)
  invoices.readSettlements(recurring.movedCredit)
  const jobs = [...customers.jobs, ...payments.jobs, ...invoices.jobs, ...recurring.jobs]
  const endLeases = () => releaseDeadLeases(database.url, [END_OPERATION_LEASES])
  return {
    ...database,
    ...simulated,
    between,
    shared: { ...shared, egress },
    customers,
    payments,
    invoices,
    recurring,
    jobs,
    endLeases,
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** A business for one test. Its clock stands still until the test moves it. Its wallets reply `pending` for a second. */
export class Shop {
  readonly caller: Caller
  readonly #fixture: Fixture
  #now: Instant

  constructor(fixture: Fixture, caller: Caller, now: Instant) {
    this.#fixture = fixture
    this.caller = caller
    this.#now = now
  }

  static async open(fixture: Fixture, now: string): Promise<Shop> {
    const { timeZone } = await fixture.shared.businesses.profile()
    const { caller } = await createTestBusiness(fixture, { timeZone })
    const shop = new Shop(fixture, caller, Temporal.Instant.from(now))
    await shop.jump(now)
    return shop
  }

  get now(): Instant {
    return this.#now
  }

  async advance(to: string): Promise<void> {
    const { db, jobs } = this.#fixture
    this.#now = Temporal.Instant.from(to)
    await advanceTo(db, jobs, this.caller.businessId, this.#now)
  }

  async jump(to: string): Promise<void> {
    this.#now = Temporal.Instant.from(to)
    await freezeClock(this.#fixture.db, this.caller.businessId, this.#now)
  }

  async customer(card?: string): Promise<string> {
    const { uuid } = await newCustomer(this.#fixture, this.caller)
    if (card !== undefined) await this.bind(uuid, card)
    return uuid
  }

  async bind(customerUuid: string, card: string): Promise<string> {
    for (let tries = 1; ; tries++) {
      const bound = await bindCard(this.#fixture, this.caller, customerUuid, card, { default: true })
      if (bound.state === 'active') return bound.token
      // On a busy machine the acquirer may not verify a card within the short timeout of these tests.
      if (tries === MAX_BINDINGS) throw new Error(`the card is ${bound.state}, not active`)
    }
  }

  async bindWallet(customerUuid: string): Promise<void> {
    const wallet = { token_type: 'WalletAPayAutoDebit', default: true } as const
    await this.#fixture.customers.bind(this.caller, customerUuid, wallet)
  }

  async item(price: number, currency = 'HKD'): Promise<string> {
    const created = await this.#fixture.recurring.createItem(this.caller, { label: 'Gold', price, currency })
    return created.recurring_item.id
  }

  async plan(customerUuid: string, changes: Partial<NewPlan> = {}): Promise<PlanJson> {
    const body: NewPlan = {
      name: 'Gold',
      customer_uuid: customerUuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 3,
      payment_retry_day_period: 2,
      recurring_cycles: changes.recurring_cycles ?? [await this.cycle()],
      ...changes,
    }
    return planOf(await this.#fixture.recurring.create(this.caller, body))
  }

  async cycle(changes: Partial<NewCycle> & { price?: number } = {}): Promise<NewCycle> {
    const { price = 100, ...rest } = changes
    return {
      billing_count: null,
      recurring_billing_config: 'FREQ=MONTHLY',
      recurring_items: rest.recurring_items ?? [{ quantity: 1, recurring_item_id: await this.item(price) }],
      ...rest,
    }
  }

  async get(planId: string): Promise<PlanJson> {
    return planOf(await this.#fixture.recurring.get(this.caller, planId))
  }

  async orders(planId: string): Promise<OrderJson[]> {
    return this.#fixture.db.transact(this.caller.businessId, async (tx) => {
      const rows = await tx.query<{ order_id: string }>(sql`
        select order_id from recurring_orders where business_id = ${tx.businessId} and plan_id = ${planId}
         order by suffix`)
      const ids = rows.map((row) => row.order_id)
      const orders = await this.#fixture.payments.findOrders(tx, ids)
      return ids.flatMap((id) => {
        const order = orders.get(id)
        if (order === undefined) return []
        return [asJson(this.#fixture.payments.renderOrder(order.order, order.transactions, tx.now))]
      })
    })
  }

  async events(objectId: string): Promise<EventJson[]> {
    const rows = await eventsOf(this.#fixture.db, this.caller.businessId, objectId)
    return rows.map((row) => ({
      type: row.type,
      at: toRfc3339(row.timestamp),
      data: JSON.parse(row.data) as Partial<PlanReply>,
    }))
  }

  async pay(
    orderNumber: string,
    token: string,
    transaction: { type?: 'Authorization'; amount?: number } = {},
  ): Promise<string> {
    const reply = await this.#fixture.payments.payOrder(this.caller, {
      order: { number: orderNumber },
      transaction: { type: 'Sales', payment_token: token, ...transaction },
    })
    return asJson(reply).transaction.uuid
  }

  async voidOrder(orderNumber: string): Promise<void> {
    await this.#fixture.payments.voidOrder(this.caller, { number: orderNumber })
  }

  async breaches(): Promise<Breach[]> {
    const { db } = this.#fixture
    const found = [verifyBilling(db), verifyInvoices(db)].map((verify) =>
      Array.fromAsync(verify(this.caller.businessId)),
    )
    return (await Promise.all(found)).flat()
  }
}

type OrderJson = ReturnType<Fixture['payments']['renderOrder']>

export function asJson<Data extends object>(reply: Data | SuccessWithMessage<Data>): Data {
  return JSON.parse(JSON.stringify(reply instanceof SuccessWithMessage ? reply.data : reply)) as Data
}

export function planOf(reply: PlanReply | SuccessWithMessage<PlanReply>): PlanJson {
  return asJson(reply).plan
}

type PlanReply = Static<typeof PlanData>
