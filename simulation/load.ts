import { setTimeout as sleep } from 'node:timers/promises'
import { Money } from '#kernel/money'
import { PAYMENTS } from '../scenarios/harness/client.ts'
import type { ExpectedOrder, ExpectedPlan } from './accounts.ts'
import {
  chooseGroups,
  chooseOrders,
  choosePlans,
  chooseStrides,
  groupStart,
  type Nature,
  type PlanChoice,
  PRICES_MINOR,
  type Size,
} from './choices.ts'
import { inParallel } from './in-parallel.ts'
import type { Merchant } from './merchant.ts'
import { type Payer, payOrder } from './pay-order.ts'

const ZONE = 'Asia/Hong_Kong'
/** Enough to keep both cores busy while the customers and plans are made. */
const SET_UP_AT_ONCE = 24
/** Callers that pay one-off orders at the same time. */
const PAYING_AT_ONCE = 12
/** One-off orders share so many payers. */
const PAYERS = 10
/** Attempts of a plan's order whose card approves, a day apart: faults never use them all up, and they end within the month. */
const ATTEMPTS = 25
const ATTEMPTS_OF_DECLINING = 3

const CARD_OF: Readonly<Record<Nature, string>> = {
  approves: '4242424242424242',
  declines: '4000000000000341',
  is_stolen: '4000000000009979',
}

interface MadePlan {
  readonly choice: PlanChoice
  readonly reference: string
}

/** The merchant's business: plans that bill while its clock is moved over the months, and orders that are paid meanwhile. */
export class Load {
  /** Bookings that the whole load needs at least; what is declined, voided or refunded comes on top. */
  readonly sureBookings: number
  readonly #merchant: Merchant
  readonly #seed: number
  readonly #size: Size
  readonly #payers: readonly Payer[]
  readonly #plans: readonly MadePlan[]
  /** When the months begin. */
  readonly #base: Temporal.ZonedDateTime
  #advancing = false

  private constructor(
    merchant: Merchant,
    seed: number,
    size: Size,
    made: { payers: readonly Payer[]; plans: readonly MadePlan[]; base: Temporal.ZonedDateTime },
  ) {
    this.#merchant = merchant
    this.#seed = seed
    this.#size = size
    this.#payers = made.payers
    this.#plans = made.plans
    this.#base = made.base
    const approving = made.plans.filter((plan) => plan.choice.nature === 'approves')
    this.sureBookings = approving.length * size.months + size.orders
  }

  /** Makes customers, tokens and plans, before anything is killed. */
  static async prepare(merchant: Merchant, seed: number, size: Size): Promise<Load> {
    const items = await inParallel(PRICES_MINOR, 1, (minor) => createItem(merchant, minor))
    const payers = await inParallel(Array.from({ length: PAYERS }), SET_UP_AT_ONCE, () =>
      createPayer(merchant, 'approves'),
    )
    const now = (await merchant.now()).toZonedDateTimeISO(ZONE)
    const base = now.add({ hours: 1 }).round('second')
    const plans = await inParallel(choosePlans(seed, size.plans), SET_UP_AT_ONCE, async (choice, index) => {
      const reference = `plan-${seed}.${index}`
      const { customerUuid } = await createPayer(merchant, choice.nature)
      await createPlan(merchant, {
        choice,
        reference,
        customerUuid,
        item: items[choice.price] ?? '',
        start: base.add(choice.startsAfter),
        months: size.months,
      })
      return { choice, reference }
    })
    return new Load(merchant, seed, size, { payers, plans, base })
  }

  /** Whether a clock/advance is being answered now. */
  get isAdvancing(): boolean {
    return this.#advancing
  }

  /** Moves the clock from one moment of billing to the next, to the end of the last. */
  async walk(): Promise<void> {
    const moments = this.#moments()
    const strides = chooseStrides(this.#seed, moments.length)
    for (const [index, moment] of moments.entries()) {
      const stride = strides[index]
      if (stride == null) continue
      await this.advanceTo(moment.toInstant().add(stride.beyond))
      await sleep(stride.idleMs)
    }
  }

  /** Every moment at which plans are billed, in order. */
  #moments(): Temporal.ZonedDateTime[] {
    const starts = Array.from({ length: chooseGroups(this.#size.plans) }, (_, group) =>
      this.#base.add(groupStart(group)),
    )
    return starts
      .flatMap((start) => Array.from({ length: this.#size.months }, (_, months) => start.add({ months })))
      .toSorted((a, b) => Temporal.ZonedDateTime.compare(a, b))
  }

  /** Does nothing when the clock is there already, as after a long interruption. */
  async advanceTo(target: Temporal.Instant): Promise<void> {
    this.#advancing = true
    try {
      const answer = await this.#merchant.call('POST', '/svc/sandbox/api/v1/openapi/clock/advance', {
        to: target.toString(),
      })
      if (answer.status === 200) return
      const now = await this.#merchant.now()
      const isThere = Temporal.Instant.compare(now, target) >= 0
      if (answer.data?.error?.reason !== 'clock_cannot_go_back' || !isThere) {
        throw new Error(`clock/advance to ${target.toString()} was answered ${JSON.stringify(answer)}`)
      }
    } finally {
      this.#advancing = false
    }
  }

  /** Creates and pays the one-off orders, each when the load has come as far as was chosen. */
  async payOrders(reached: (share: number) => Promise<void>): Promise<ExpectedOrder[]> {
    const choices = chooseOrders(this.#seed, this.#size.orders)
    return inParallel(choices, PAYING_AT_ONCE, async (choice, index) => {
      await reached(choice.share)
      const payer = this.#payers[index % this.#payers.length]
      if (payer === undefined) throw new Error('no payers')
      return payOrder(this.#merchant, choice, payer, `order-${this.#seed}.${index}`)
    })
  }

  /** What every plan must have done when the clock shows `now`. */
  expectedPlans(now: Temporal.Instant): ExpectedPlan[] {
    return this.#plans.map(({ choice, reference }) => {
      const start = this.#base.add(choice.startsAfter)
      const dueAt: Temporal.Instant[] = []
      for (let months = 0; !choice.isBounded || months < this.#size.months; months++) {
        const due = start.add({ months }).toInstant()
        if (Temporal.Instant.compare(due, now) > 0) break
        dueAt.push(due)
      }
      const end = start.add({ months: this.#size.months }).toInstant()
      return {
        reference,
        nature: choice.nature,
        priceMinor: PRICES_MINOR[choice.price] ?? 0n,
        dueAt,
        isOver: choice.isBounded && Temporal.Instant.compare(end, now) <= 0,
        gracePeriod: choice.gracePeriod,
      }
    })
  }
}

async function createItem(merchant: Merchant, minor: bigint): Promise<string> {
  const { recurring_item } = await merchant.ok('POST', `${PAYMENTS}/recurring_payments/items`, {
    recurring_item: { label: 'Membership', price: Money.ofMinor('HKD', minor), currency: 'HKD' },
  })
  return recurring_item.id as string
}

async function createPayer(merchant: Merchant, nature: Nature): Promise<Payer> {
  const customer = await merchant.createCustomer()
  const bound = await merchant.bindCard(customer.uuid, CARD_OF[nature])
  if (bound.state !== 'active') throw new Error(`a card was not bound: ${JSON.stringify(bound)}`)
  return { customerUuid: customer.uuid, token: bound.token as string }
}

async function createPlan(
  merchant: Merchant,
  plan: {
    choice: PlanChoice
    reference: string
    customerUuid: string
    item: string
    start: Temporal.ZonedDateTime
    months: number
  },
): Promise<void> {
  const { choice } = plan
  await merchant.createPlan({
    reference_number: plan.reference,
    customer_uuid: plan.customerUuid,
    start_date: plan.start.toInstant().toString(),
    payment_retry_count: choice.nature === 'approves' ? ATTEMPTS : ATTEMPTS_OF_DECLINING,
    payment_retry_day_period: 1,
    ...(choice.gracePeriod !== null && { grace_period: choice.gracePeriod }),
    recurring_cycles: [
      {
        billing_count: choice.isBounded ? plan.months : null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: plan.item, quantity: 1 }],
      },
    ],
  })
}
