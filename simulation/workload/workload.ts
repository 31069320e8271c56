import { setTimeout as sleep } from 'node:timers/promises'
import { Money } from '#kernel/money'
import { PAYMENTS } from '../../scenarios/harness/client.ts'
import type { ExpectedOrder, ExpectedPlan } from '../checks/accounts.ts'
import {
  type CardBehavior,
  chooseClockMoves,
  chooseOrders,
  choosePlans,
  groupCount,
  groupOffset,
  type PlanChoice,
  PRICES_HKD_MINOR,
  type WorkloadSize,
} from './workload-choices.ts'
import { inParallel } from './in-parallel.ts'
import type { SimulatedAcquirer } from '../acquirers/index.ts'
import type { Merchant } from './merchant.ts'
import { type Payer, payOrder } from './pay-order.ts'

export type { Payer }

const TIME_ZONE = 'Asia/Hong_Kong'
const SETUP_CONCURRENCY = 24
const ORDER_CONCURRENCY = 12
const PAYERS = 10
const BINDING_POLL_MS = 500
const MAX_BINDING_POLLS = 60
const MAX_BINDINGS = 20
/** Nothing was booked, and the payer enters the card again. */
const NOT_PROCESSED: ReadonlySet<string> = new Set(['verification_not_processed', 'not_sent'])
/** Daily attempts: too many for faults to exhaust, and they end within the month. */
export const ATTEMPTS = 25
const ATTEMPTS_OF_DECLINING_CARD = 3

interface CreatedPlan {
  readonly choice: PlanChoice
  readonly reference: string
}

export class Workload {
  /** The bookings without declines, voids and refunds. */
  readonly minBookings: number
  readonly #merchant: Merchant
  readonly #acquirer: SimulatedAcquirer
  readonly #seed: number
  readonly #size: WorkloadSize
  readonly #payers: readonly Payer[]
  readonly #plans: readonly CreatedPlan[]
  readonly #startsAt: Temporal.ZonedDateTime
  #advancing = false

  private constructor(
    merchant: Merchant,
    acquirer: SimulatedAcquirer,
    seed: number,
    size: WorkloadSize,
    setup: { payers: readonly Payer[]; plans: readonly CreatedPlan[]; startsAt: Temporal.ZonedDateTime },
  ) {
    this.#merchant = merchant
    this.#acquirer = acquirer
    this.#seed = seed
    this.#size = size
    this.#payers = setup.payers
    this.#plans = setup.plans
    this.#startsAt = setup.startsAt
    const approving = setup.plans.filter((plan) => plan.choice.cardBehavior === 'approves')
    this.minBookings = approving.length * size.months + size.orders
  }

  static async prepare(
    merchant: Merchant,
    acquirer: SimulatedAcquirer,
    seed: number,
    size: WorkloadSize,
  ): Promise<Workload> {
    const items = await inParallel(PRICES_HKD_MINOR, 1, (minor) => createItem(merchant, minor))
    const payers = await inParallel(Array.from({ length: PAYERS }), SETUP_CONCURRENCY, () =>
      createPayer(merchant, acquirer, 'approves'),
    )
    const now = (await merchant.now()).toZonedDateTimeISO(TIME_ZONE)
    const startsAt = now.add({ hours: 1 }).round('second')
    const plans = await inParallel(
      choosePlans(seed, size.plans),
      SETUP_CONCURRENCY,
      async (choice, index) => {
        const reference = `plan-${seed}.${index}`
        const { customerUuid } = await createPayer(merchant, acquirer, choice.cardBehavior)
        await createPlan(merchant, {
          choice,
          reference,
          customerUuid,
          item: items[choice.priceIndex] ?? '',
          start: startsAt.add(choice.startOffset),
          months: size.months,
        })
        return { choice, reference }
      },
    )
    return new Workload(merchant, acquirer, seed, size, { payers, plans, startsAt })
  }

  get isAdvancing(): boolean {
    return this.#advancing
  }

  async moveClock(waitForShare: (share: number) => Promise<void>): Promise<void> {
    const billingTimes = this.#billingTimes()
    const moves = chooseClockMoves(this.#seed, billingTimes.length)
    for (const [index, billingTime] of billingTimes.entries()) {
      const move = moves[index]
      if (move == null) continue
      await waitForShare(index / billingTimes.length)
      await this.advanceTo(billingTime.toInstant().add(move.offset))
      await this.#acquirer.forgetKeys()
      await sleep(move.idleMs)
    }
  }

  #billingTimes(): Temporal.ZonedDateTime[] {
    const starts = Array.from({ length: groupCount(this.#size.plans) }, (_, group) =>
      this.#startsAt.add(groupOffset(group)),
    )
    return starts
      .flatMap((start) => Array.from({ length: this.#size.months }, (_, months) => start.add({ months })))
      .toSorted((a, b) => Temporal.ZonedDateTime.compare(a, b))
  }

  /** Accepts a clock that has already passed `target`, which happens after a long interruption. */
  async advanceTo(target: Temporal.Instant): Promise<void> {
    this.#advancing = true
    try {
      const path = '/svc/sandbox/api/v1/openapi/clock/advance'
      const reply = await this.#merchant.call('POST', path, { to: target.toString() }, { isLong: true })
      if (reply.status === 200) return
      const now = await this.#merchant.now()
      const hasPassed = Temporal.Instant.compare(now, target) >= 0
      if (reply.data?.error?.reason !== 'clock_cannot_go_back' || !hasPassed) {
        throw new Error(
          `clock/advance to ${target.toString()} got the unexpected response ${JSON.stringify(reply)}`,
        )
      }
    } finally {
      this.#advancing = false
    }
  }

  async payOrders(waitForShare: (share: number) => Promise<void>): Promise<ExpectedOrder[]> {
    const choices = chooseOrders(this.#seed, this.#size.orders)
    return inParallel(choices, ORDER_CONCURRENCY, async (choice, index) => {
      await waitForShare(choice.share)
      const payer = this.#payers[index % this.#payers.length]
      if (payer === undefined) throw new Error('there are no payers')
      return payOrder(this.#merchant, choice, payer, `order-${this.#seed}.${index}`)
    })
  }

  expectedPlans(now: Temporal.Instant): ExpectedPlan[] {
    return this.#plans.map(({ choice, reference }) => {
      const start = this.#startsAt.add(choice.startOffset)
      const dueTimes: Temporal.Instant[] = []
      for (let months = 0; !choice.isBounded || months < this.#size.months; months++) {
        const due = start.add({ months }).toInstant()
        if (Temporal.Instant.compare(due, now) > 0) break
        dueTimes.push(due)
      }
      const end = start.add({ months: this.#size.months }).toInstant()
      return {
        reference,
        cardBehavior: choice.cardBehavior,
        priceMinor: PRICES_HKD_MINOR[choice.priceIndex] ?? 0n,
        dueTimes,
        isCompleted: choice.isBounded && Temporal.Instant.compare(end, now) <= 0,
        gracePeriod: choice.gracePeriod,
      }
    })
  }
}

export async function createItem(merchant: Merchant, priceMinor: bigint): Promise<string> {
  const { recurring_item } = await merchant.ok('POST', `${PAYMENTS}/recurring_payments/items`, {
    recurring_item: { label: 'Membership', price: Money.ofMinor('HKD', priceMinor), currency: 'HKD' },
  })
  return recurring_item.id as string
}

export async function createPayer(
  merchant: Merchant,
  acquirer: SimulatedAcquirer,
  cardBehavior: CardBehavior,
): Promise<Payer> {
  for (let tries = 1; tries <= MAX_BINDINGS; tries++) {
    const payer = await tryPayer(merchant, acquirer, cardBehavior)
    if (payer !== undefined) return payer
  }
  throw new Error(`no card was bound in ${MAX_BINDINGS} tries`)
}

/** Undefined when the acquirer did not process the verification, or has not said yet what became of it. */
export async function tryPayer(
  merchant: Merchant,
  acquirer: SimulatedAcquirer,
  cardBehavior: CardBehavior,
): Promise<Payer | undefined> {
  const customer = await merchant.createCustomer()
  const bound = await bindAndWait(
    merchant,
    customer.uuid,
    await acquirer.newCard(customer.uuid, cardBehavior),
  )
  if (bound.state === 'active') return { customerUuid: customer.uuid, token: bound.token }
  if (bound.state === 'pending' || NOT_PROCESSED.has(bound.error_code ?? '')) return undefined
  throw new Error(`the card was not bound: ${JSON.stringify(bound)}`)
}

interface BoundCard {
  readonly state: string
  readonly token: string
  readonly error_code?: string
}

/** A busy machine may not have verified the card in time; then the service inquires. */
async function bindAndWait(merchant: Merchant, customerUuid: string, card: object): Promise<BoundCard> {
  let bound: BoundCard = await merchant.bind(customerUuid, card)
  for (let tries = 0; bound.state === 'pending' && tries < MAX_BINDING_POLLS; tries++) {
    await sleep(BINDING_POLL_MS)
    const { payment_tokens: tokens } = await merchant.ok(
      'GET',
      `${PAYMENTS}/customers/${customerUuid}/payment_tokens`,
    )
    bound = (tokens as BoundCard[]).find(({ token }) => token === bound.token) ?? bound
  }
  return bound
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
    payment_retry_count: choice.cardBehavior === 'approves' ? ATTEMPTS : ATTEMPTS_OF_DECLINING_CARD,
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
