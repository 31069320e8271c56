import { pino } from 'pino'
import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type Json, parseJson } from '#kernel/json'
import { Customers } from '#modules/customers'
import { END_OPERATION_LEASES, Payments } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { endDeadLeases } from '#platform/jobs/dead-leases'
import { EventLog } from '#platform/events/events'
import { Answer } from '#platform/http/routes/route'
import { Links } from '#platform/security/links'
import type { Breach } from '#platform/verify'
import { advanceTo, standAt } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventsOf } from '#platform/testing/events'
import { createTestKeyring } from '#platform/testing/keyring'
import { createTestAcquirer } from '../../acquirers/testing/acquirer.ts'
import { bindCard, newCustomer } from '../../customers/testing/fixture.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { Recurring } from '../recurring.ts'
import type { NewCycle, NewPlan } from '../api/schemas.ts'
import { verifyRecurring } from '../audit/verify.ts'

/** A card that approves, one that declines charges, one that is stolen, and those that never answer. */
export const CARDS = {
  good: '4242424242424242',
  declining: '4000000000000341',
  stolen: '4000000000009979',
  silentUnbooked: '4000000000000119',
  silentBooked: '4000000000000127',
} as const

/** Answers as tests look at them. */
export interface ShownPlan {
  readonly id: string
  readonly state: string
  readonly next_execute_time: string | null
  readonly updated_at: string
  readonly cancel_at?: string
  readonly credit: number
  readonly recurring_cycles: readonly {
    readonly state: string
    readonly billing_count_created: number
    readonly next_execute_time: string | null
    readonly recurring_billing_config: { readonly id: string }
  }[]
  readonly current_order?: {
    readonly order_number: string
    readonly reference_number: string
    readonly state: string
    readonly amount: number
    readonly default_payment_token: string
  }
  readonly current_payment_link?: string
  readonly default_payment_token?: string
}

export interface ShownEvent {
  readonly type: string
  readonly at: string
  readonly data: Json
}

/** The module on a real database, with a real simulator. Call it at the top of a test file. */
export async function createFixture(
  limits: Pick<RecurringDependencies, 'maxConcurrentCharges' | 'leaseRenewalMs'> = {},
) {
  const database = await createTestDatabase()
  const simulated = await createTestAcquirer({ timeoutMs: 300 })
  const { db } = database
  const { keyring } = createTestKeyring()
  const signer = new Links(keyring, () => 'http://127.0.0.1:8080')
  const shared = {
    db,
    events: new EventLog(),
    acquirers: { forBusiness: () => simulated.acquirer },
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong', environment: 'test' as const }) },
    links: signer,
    keyring,
    mayReceiveWebhooks: (url: string) => !url.includes('127.0.0.1'),
  }
  const customers = new Customers(shared)
  const payments = new Payments({ ...shared, customers, log: pino({ level: 'silent' }) })
  const recurring = new Recurring({ ...shared, ...limits, customers, payments })
  payments.onOrdersChanged(recurring.handleOrderChanges)
  const works = [...customers.jobs, ...payments.jobs, ...recurring.jobs]
  /** Ends all leases, as a service does whose predecessor died. */
  const endLeases = () => endDeadLeases(database.url, [END_OPERATION_LEASES])
  return { ...database, ...simulated, customers, payments, recurring, works, endLeases }
}

type Fixture = Awaited<ReturnType<typeof createFixture>>

/** A business of its own for one test, whose clock stands still until it is moved. */
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
    const { caller } = await createTestBusiness(fixture)
    const shop = new Shop(fixture, caller, Temporal.Instant.from(now))
    await shop.jump(now)
    return shop
  }

  get now(): Instant {
    return this.#now
  }

  /** Does all that is due until then, each kind at its own time, as the sandbox does. */
  async advance(to: string): Promise<void> {
    const { db, works } = this.#fixture
    this.#now = Temporal.Instant.from(to)
    await advanceTo(db, works, this.caller.businessId, this.#now)
  }

  /** Moves the clock while no worker is there. */
  async jump(to: string): Promise<void> {
    this.#now = Temporal.Instant.from(to)
    await standAt(this.#fixture.db, this.caller.businessId, this.#now)
  }

  async customer(card?: string): Promise<string> {
    const { uuid } = await newCustomer(this.#fixture, this.caller)
    if (card !== undefined) await this.bind(uuid, card)
    return uuid
  }

  /** Binds a card and makes it the default; answers the token. */
  async bind(customerUuid: string, card: string): Promise<string> {
    const { token } = await bindCard(this.#fixture, this.caller, customerUuid, card, { default: true })
    return token
  }

  /** Makes a wallet the default that answers `pending`, and approves a second later. */
  async bindWallet(customerUuid: string): Promise<void> {
    const wallet = { token_type: 'WalletAPayAutoDebit', default: true } as const
    await this.#fixture.customers.bind(this.caller, customerUuid, wallet)
  }

  async item(price: number, currency = 'HKD'): Promise<string> {
    const answer = await this.#fixture.recurring.createItem(this.caller, { label: 'Gold', price, currency })
    return (shown(answer) as { recurring_item: { id: string } }).recurring_item.id
  }

  /** A plan with one monthly cycle for ever at 100.00, three attempts two days apart, unless told otherwise. */
  async plan(customerUuid: string, changes: Partial<NewPlan> = {}): Promise<ShownPlan> {
    const body: NewPlan = {
      name: 'Gold',
      customer_uuid: customerUuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 3,
      payment_retry_day_period: 2,
      recurring_cycles: changes.recurring_cycles ?? [await this.cycle()],
      ...changes,
    }
    return shownPlan(await this.#fixture.recurring.create(this.caller, body))
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

  async get(planId: string): Promise<ShownPlan> {
    return shownPlan(await this.#fixture.recurring.get(this.caller, planId))
  }

  /** The plan's orders by suffix, as an answer shows them. */
  async orders(planId: string): Promise<ShownOrder[]> {
    return this.#fixture.db.transact(this.caller.businessId, async (tx) => {
      const rows = await tx.query<{ order_id: string }>(sql`
        select order_id from recurring_orders where business_id = ${tx.businessId} and plan_id = ${planId}
         order by suffix`)
      const ids = rows.map((row) => row.order_id)
      const found = await this.#fixture.payments.findOrders(tx, ids)
      return ids.flatMap((id) => {
        const order = found.get(id)
        if (order === undefined) return []
        return [
          shown(this.#fixture.payments.renderOrder(order.order, order.transactions, tx.now)) as ShownOrder,
        ]
      })
    })
  }

  async events(objectId: string): Promise<ShownEvent[]> {
    const rows = await eventsOf(this.#fixture.db, this.caller.businessId, objectId)
    return rows.map((row) => ({
      type: row.type,
      at: toRfc3339(row.timestamp),
      data: parseJson(row.data),
    }))
  }

  /** Pays an order as a merchant, with a token of its customer; answers the transaction's uuid. */
  async pay(
    orderNumber: string,
    token: string,
    transaction: { type?: 'Authorization'; amount?: number } = {},
  ): Promise<string> {
    const answer = await this.#fixture.payments.payOrder(this.caller, {
      order: { number: orderNumber },
      transaction: { type: 'Sales', payment_token: token, ...transaction },
    })
    return (shown(answer) as { transaction: { uuid: string } }).transaction.uuid
  }

  async voidOrder(orderNumber: string): Promise<void> {
    await this.#fixture.payments.voidOrder(this.caller, { number: orderNumber })
  }

  async breaches(): Promise<Breach[]> {
    return Array.fromAsync(verifyRecurring(this.#fixture.db)(this.caller.businessId))
  }
}

export interface ShownOrder {
  readonly number: string
  readonly reference_number: string
  readonly state: string
  readonly created_at: string
  readonly initial_total: number
  readonly paid_total: string
  readonly line_items: readonly { readonly label: string; readonly total: number }[]
  readonly transactions: readonly {
    readonly uuid: string
    readonly success: boolean
    readonly created_at: string
    readonly payment_data: {
      readonly resp_code: string
      readonly transaction_state: string
      readonly token?: string
    }
  }[]
}

/** As a receiver of the JSON sees it. */
export function shown(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer instanceof Answer ? answer.data : answer))
}

/** The plan of an answer. */
export function shownPlan(answer: object): ShownPlan {
  return (shown(answer) as { plan: ShownPlan }).plan
}
