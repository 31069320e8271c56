import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { ATTEMPTS_OF_DECLINING_CARD, dueAt } from '../model/plan-model.ts'
import type { ClockMove, PlanChange, PlanLife } from '../plan/draw-plans.ts'
import type { Business } from './business.ts'

/** Daily attempts: too many for faults to exhaust, and they end within the month. */
const ATTEMPTS = 25

/** A plan of a customer of its own, because a customer's default card pays all its plans. */
export async function beginPlan(business: Business, life: PlanLife): Promise<void> {
  const { merchant } = business
  const payer = await business.newPayer(life.card)
  if (payer === undefined) return
  const from = life.startsFromOpening ? business.openedAt : (await merchant.now()).round('second')
  const startsAt = from.add({ minutes: life.startsAfterMinutes })
  const plan = {
    name: 'Membership',
    reference_number: life.name,
    customer_uuid: payer.customerUuid,
    start_date: startsAt.toString(),
    default_collection_method: 'charge_automatically',
    payment_retry_count: life.card === 'approves' ? ATTEMPTS : ATTEMPTS_OF_DECLINING_CARD,
    payment_retry_day_period: 1,
    ...(life.gracePeriod !== null && { grace_period: life.gracePeriod }),
    recurring_cycles: [
      {
        billing_count: life.billingCount,
        recurring_billing_config: `FREQ=${life.frequency}`,
        recurring_items: [{ recurring_item_id: business.items[life.priceIndex], quantity: 1 }],
      },
    ],
  }
  const path = `${PAYMENTS}/recurring_payments/plan`
  const reply = await merchant.call('POST', path, { plan }, { idempotencyKey: `${life.name}-create` })
  if (reply.status === 200)
    return void business.plans.push({ life, startsAt, id: reply.data.plan.id, changes: [] })
  // The clock was moved past the start meanwhile.
  const isLate = Temporal.Instant.compare(await merchant.now(), startsAt) > 0
  if (reply.status === 422 && isLate) return
  business.findings.push(`plan ${life.name} was refused: ${reply.status} ${JSON.stringify(reply.data)}`)
}

/** What a change is refused for: another change waits, a payment is under way, or the plan has ended. */
const REFUSALS = new Set(['change_pending', 'payment_in_progress', 'plan_not_changeable'])

export async function changePlan(business: Business, change: PlanChange, key: string): Promise<void> {
  const model = business.plans.find(({ life }) => life.name === change.plan)
  // The dearest price has no dearer one, and of a plan that is being changed the next price is not known.
  const priceIndex = model === undefined ? 0 : (model.changes.at(-1)?.priceIndex ?? model.life.priceIndex) + 1
  const item = business.items[priceIndex]
  if (
    model === undefined ||
    model.isChanging === true ||
    model.life.card !== 'approves' ||
    item === undefined
  )
    return
  model.isChanging = true
  const { at, proration } = change
  const body = {
    change: {
      recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      at,
      ...(at === 'now' && { proration }),
    },
  }
  const path = `${PAYMENTS}/recurring_payments/plan/${model.id}/change`
  const options = { idempotencyKey: `${key}-change`, takesInProgress: true }
  const reply = await business.merchant.call('POST', path, body, options)
  model.isChanging = false
  if (reply.status === 200) {
    const { effective_at, state, total } = reply.data.change
    const order = reply.data.order?.number as string | undefined
    const applied = {
      at: Temporal.Instant.from(effective_at),
      priceIndex,
      isScheduled: state === 'scheduled',
      total: Number(total),
    }
    model.changes.push({ ...applied, ...(order !== undefined && { order }) })
  } else if (!REFUSALS.has(reply.data?.error?.reason)) {
    business.findings.push(
      `${key} of plan ${change.plan} was refused: ${reply.status} ${JSON.stringify(reply.data)}`,
    )
  }
}

export async function moveClock(business: Business, move: ClockMove): Promise<void> {
  if ('minutes' in move) return business.advanceBy({ minutes: move.minutes })
  const start = business.openedAt.add({ minutes: move.startsAfterMinutes })
  return business.advanceTo(dueAt(start, { months: move.months }).add({ milliseconds: move.ms }))
}
